module First
  def name = 1
end

module Second
  def name = 2
end

class Both
  include First
  include Second
end

class Own
  include First

  def name = 3
end
Both.new.name # calls :Both, :Second.name
Own.new.name # calls :Own, :Own.name
