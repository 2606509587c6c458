class Ghost
  def real = 1

  def method_missing(name, *args) = name

  def respond_to_missing?(*) = true

  def go
    real # calls :Ghost.real
    unreal
  end
end

class Child
  def unreal = 1
end
Ghost.new.unreal # calls :Ghost
Ghost.new.real # calls :Ghost, :Ghost.real
