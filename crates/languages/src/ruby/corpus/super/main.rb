class Base
  def initialize(name)
    @name = name
  end

  def run(x) = x

  def self.make = 1
end

class Sub < Base
  def initialize(name)
    super(name) # calls :Base.initialize
  end

  def run(x)
    super # calls :Base.run
  end

  def self.make
    super # calls :Base.make
  end
end
Sub.new('a').run(1) # calls :Sub.initialize, :Sub.run
Sub.make # calls :Sub.make
