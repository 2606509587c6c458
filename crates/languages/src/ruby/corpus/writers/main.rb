class Box
  attr_writer :size

  def size = @size

  def color=(value)
    @color = value
  end
end
box = Box.new # calls :Box
box.size = 3 # calls :Box.size@2
box.size # calls :Box.size@4
box.color = 'red' # calls :Box.color=
