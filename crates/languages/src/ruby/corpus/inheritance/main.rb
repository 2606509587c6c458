require_relative 'base'
class Dog < Animal
  def bark
    speak # calls :Dog.speak
    breathe # calls base.rb:Animal.breathe
  end

  def speak = 'woof'
end
Dog.new.bark # calls :Dog, :Dog.bark
Dog.new.breathe # calls :Dog, base.rb:Animal.breathe
