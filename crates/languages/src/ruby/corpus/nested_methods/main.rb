class Outer
  def make
    def inner = 1
    inner # calls :Outer.inner
  end

  class Inner
    def go = 1
  end

  def run = Inner.new.go # calls :Outer.Inner, :Outer.Inner.go
end
Outer.new.make # calls :Outer, :Outer.make
