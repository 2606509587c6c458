class A
  def go = 1
end

def all(*items, **named, &block)
  items.each { |item| item.go } # calls :A.go (missed)
  block.call
end
list = [A.new] # calls :A
all(*list) { 1 } # calls :all
first, *rest = list
first.go # calls :A.go
rest.first.go # calls :A.go
[[A.new, 1]].each { |(a, n)| a.go } # calls :A, :A.go
