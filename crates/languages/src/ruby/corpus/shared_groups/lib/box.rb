class Box
  def open = 1
end
