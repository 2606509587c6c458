class A
  def go = 1
end

class B
  def go = 2
end

def show(thing)
  case thing
  when A then thing.go # calls :A.go
  when B
    thing.go # calls :B.go
  when nil
    thing.go
  end
end
show(A.new) # calls :show, :A
show(B.new) # calls :show, :B
