module Loud
  def say
    super # calls :Voice.say
  end
end

class Voice
  def say = 'hi'
end

class Singer < Voice
  include Loud

  def say
    super # calls :Loud.say
  end
end
Singer.new.say # calls :Singer, :Singer.say
