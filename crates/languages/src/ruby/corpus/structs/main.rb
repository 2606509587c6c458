Point = Struct.new(:x, :y) do
  def sum = x + y # calls :Point.x, :Point.y

  def self.zero = new(0, 0) # calls :Point
end

class Pair < Struct.new(:left, :right)
  def swap = Pair.new(right, left) # calls :Pair, :Pair.right, :Pair.left
end
Point.new(1, 2).sum # calls :Point, :Point.sum
Point.zero.x # calls :Point.zero, :Point.x
Pair.new(1, 2).swap # calls :Pair, :Pair.swap
