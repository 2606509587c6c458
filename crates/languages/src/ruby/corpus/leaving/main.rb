class A
  def go = 1
end

class B
  def go = 2
end

def choose(flag)
  thing = A.new # calls :A
  if flag
    thing = B.new # calls :B
    thing.go # calls :B.go
    return
  end
  thing.go # calls :A.go
  raise 'no' if flag

  thing.go # calls :A.go
end
choose(true) # calls :choose
choose(false) # calls :choose
