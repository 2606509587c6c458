class Point
  def initialize(x, y)
    @x = x
    @y = y
  end
end

class Named < Point
end

class Plain
end
Point.new(1, 2) # calls :Point.initialize
Named.new(1, 2) # calls :Point.initialize
Plain.new # calls :Plain
