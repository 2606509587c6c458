class Animal
  def speak = '...'

  def breathe = 'h'
end
