class Node
  attr_reader :above

  def initialize(above)
    @above = above
  end

  def name = 1
end

def walk
  node = Node.new(nil) # calls :Node.initialize
  count = 0
  while count < 3
    node.name # calls :Node.name
    node = Node.new(node) # calls :Node.initialize
    count += 1
  end
  node.name # calls :Node.name
  for item in [Node.new(nil)] # calls :Node.initialize
    item.name # calls :Node.name
  end
end
walk # calls :walk
