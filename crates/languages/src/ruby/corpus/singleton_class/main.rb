class Registry
  class << self
    attr_reader :items

    def add(item)
      check(item) # calls :Registry.check
      items # calls :Registry.items
    end

    private

    def check(item) = item
  end

  def add = 1
end
Registry.add(1) # calls :Registry.add@5
Registry.new.add # calls :Registry, :Registry.add@15
