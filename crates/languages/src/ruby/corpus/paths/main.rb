module Outer
  module Inner
  end
end

class Outer::Inner::Part
  def go = 1

  def self.make = new # calls :Part
end

class Outer::Inner::Small < Outer::Inner::Part
end
Outer::Inner::Part.new.go # calls :Part, :Part.go
Outer::Inner::Part.make # calls :Part.make
Outer::Inner::Small.new.go # calls :Small, :Part.go
