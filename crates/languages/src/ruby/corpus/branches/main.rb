class A
  def go = 1
end

class B
  def go = 2
end

def pick(flag)
  thing =
    if flag
      A.new # calls :A
    else
      B.new # calls :B
    end
  thing.go # calls :A.go, :B.go
  other = flag ? A.new : B.new # calls :A, :B
  other.go # calls :A.go, :B.go
  last = A.new # calls :A
  last = B.new unless flag # calls :B
  last.go # calls :A.go, :B.go
end
pick(true) # calls :pick
pick(false) # calls :pick
