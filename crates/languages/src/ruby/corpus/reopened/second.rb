class Thing
  def two
    one if false # calls first.rb:Thing.one
  end
end
