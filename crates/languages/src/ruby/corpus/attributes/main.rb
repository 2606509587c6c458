class Engine
  def start = 1
end

class Car
  attr_reader :engine
  attr_accessor :name

  def initialize
    @engine = Engine.new # calls :Engine
    self.name = 'x' # calls :Car.name
  end

  def go
    engine.start # calls :Car.engine, :Engine.start
    name # calls :Car.name
  end
end
car = Car.new # calls :Car.initialize
car.engine.start # calls :Car.engine, :Engine.start
car.name = 'y' # calls :Car.name
car.name # calls :Car.name
