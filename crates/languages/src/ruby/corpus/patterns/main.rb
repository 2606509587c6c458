class A
  def go = 1
end

def show(thing)
  case thing
  in A => found
    found.go # calls :A.go
  in [first, *]
    first.go
  in { name: }
    name.go
  else
    nil
  end
end
show(A.new) # calls :show, :A
