class A
  def go = 1
end

class B
  def go = 2
end

module M
  def self.go = 3
end
A.new.go # calls :A, :A.go
B.new.go # calls :B, :B.go
M.go # calls :M.go
