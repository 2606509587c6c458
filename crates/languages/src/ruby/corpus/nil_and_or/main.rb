class A
  def go = 1
end

class B
  def go = 2
end

def pick(given)
  one = given || A.new # calls :A
  two = nil
  two ||= B.new # calls :B
  two.go # calls :B.go
  three = A.new and 1 # calls :A
  three.go # calls :A.go
end
pick(nil) # calls :pick
