class Base
  class Item
    def go = 1
  end
end

class Sub < Base
  def run
    Item.new.go # calls :Base.Item, :Base.Item.go
  end
end

module Parts
  class Wheel
    def turn = 1
  end
end

class Car
  include Parts

  def run = Wheel.new.turn # calls :Parts.Wheel, :Parts.Wheel.turn
end
Sub.new.run # calls :Sub, :Sub.run
Sub::Item.new.go # calls :Base.Item, :Base.Item.go
Car.new.run # calls :Car, :Car.run
