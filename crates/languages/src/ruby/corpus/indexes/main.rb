class Grid
  def initialize
    @cells = {}
  end

  def [](x) = @cells[x]

  def []=(x, value)
    @cells[x] = value
  end

  def <<(value)
    self
  end
end
grid = Grid.new # calls :Grid.initialize
grid[1] # calls :Grid.[]
grid[1] = 2 # calls :Grid.[]=
grid[1] ||= 3 # calls :Grid.[], :Grid.[]=
grid << 1 << 2 # calls :Grid.<<
[1][0]
