class String
  def shout = upcase
end

class Object
  def known? = true
end

module Kernel
  def note(text) = text
end
'a'.shout # calls :String.shout
text = "b#{1}"
text.shout # calls :String.shout
text.strip.shout # calls :String.shout
3.known? # calls :Object.known?
note('x') # calls :Kernel.note
[1].known? # calls :Object.known?
