class LongName
  def go = 1

  def self.make = new # calls :LongName
end
Short = LongName
Holder = Short.new # calls :LongName
Short.new.go # calls :LongName, :LongName.go
Short.make.go # calls :LongName.make, :LongName.go
Holder.go # calls :LongName.go

class Child < Short
end
Child.new.go # calls :Child, :LongName.go
