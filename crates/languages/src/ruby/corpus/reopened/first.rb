class Thing
  def initialize
    @value = 1
  end

  def one
    two # calls second.rb:Thing.two
  end
end
