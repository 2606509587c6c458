class Thing
  def name = 1
end
