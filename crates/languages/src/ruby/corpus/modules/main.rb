module Walks
  def walk = 1
end

module Swims
  def swim
    walk # calls :Walks.walk
  end
end

class Duck
  include Walks
  include Swims

  def go
    walk # calls :Walks.walk
    swim # calls :Swims.swim
  end
end
Duck.new.go # calls :Duck, :Duck.go
Duck.new.swim # calls :Duck, :Swims.swim
