class A
  def go = 1
end

class B
  def go = 2
end
x = A.new # calls :A
x.go # calls :A.go
x = B.new # calls :B
x.go # calls :B.go
y = x
y.go # calls :B.go
a, b = A.new, B.new # calls :A, :B
a.go # calls :A.go
b.go # calls :B.go
