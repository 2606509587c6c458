class Registry
  def add(item) = item
end

class App
  @registry = Registry.new # calls :Registry

  class << self
    attr_reader :registry

    def register(item)
      @registry.add(item) # calls :Registry.add
      registry.add(item) # calls :App.registry, :Registry.add
    end
  end
end
App.register(1) # calls :App.register
