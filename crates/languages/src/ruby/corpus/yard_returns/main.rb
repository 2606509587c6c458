class Item
  def price = 1
end

class Store
  # @return [Item] the first one
  def first = fetch(:first) # calls :Store.fetch

  # @return [Array<Item>]
  def all = fetch(:all) # calls :Store.fetch

  # @return [self]
  def sorted = fetch(:sorted) # calls :Store.fetch

  # @return [Item]
  attr_reader :last

  # @yieldparam item [Item]
  def each = fetch(:each) # calls :Store.fetch

  def fetch(name) = eval(name.to_s)
end
store = Store.new # calls :Store
store.first.price # calls :Store.first, :Item.price
store.all.first.price # calls :Store.all, :Item.price
store.sorted.last.price # calls :Store.sorted, :Store.last, :Item.price
store.each { |item| item.price } # calls :Store.each, :Item.price
