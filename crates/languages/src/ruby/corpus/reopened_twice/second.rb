class Thing
  def name = 2

  def own
    name # calls :Thing.name
  end
end
