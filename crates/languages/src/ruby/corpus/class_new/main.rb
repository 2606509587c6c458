class Base
  def go = 1
end
Made = Class.new(Base) do
  def own
    go # calls :Base.go
  end
end
Failure = Class.new(StandardError)
Made.new.own # calls :Made, :Made.own
Made.new.go # calls :Made, :Base.go
local = Class.new(Base) do
  def other = go # calls :Base.go
end
local.new.go # calls :Base.go
