class A
  def only_a = 1
end

class B
  def only_b = 1
end

def show(thing)
  if thing.is_a?(A)
    thing.only_a # calls :A.only_a
  end
  thing.only_b if thing.kind_of?(B) # calls :B.only_b
  thing.is_a?(A) && thing.only_a # calls :A.only_a
  thing.only_a
end

def strict(thing)
  return unless thing.is_a?(A)

  thing.only_a # calls :A.only_a
end
strict(A.new) # calls :strict, :A
