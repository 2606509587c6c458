module Sized
  def big?
    size > 3 # calls :Box.size
  end
end

class Box
  include Sized

  def size = 1
end
Box.new.big? # calls :Box, :Sized.big?
