module Util
  module_function

  def clean(text)
    strip(text) # calls :Util.strip
  end

  def strip(text) = text
end

module Other
  def shout(text) = text
  module_function :shout

  def quiet = 1
end

class User
  include Util

  def go = clean('a') # calls :Util.clean
end
Util.clean('a') # calls :Util.clean
Other.shout('b') # calls :Other.shout
User.new.go # calls :User, :User.go
