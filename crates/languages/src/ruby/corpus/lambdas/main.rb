class A
  def go = 1
end
make = -> { A.new } # calls :A
make.call.go # calls :A.go
make.().go # calls :A.go
other = lambda { A.new } # calls :A
other.call.go # calls :A.go
third = proc { |x| x }
third.call(1)
