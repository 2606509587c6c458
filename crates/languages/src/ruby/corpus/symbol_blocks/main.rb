class Item
  def price = 1

  def ready? = true
end
items = [Item.new, Item.new] # calls :Item
items.map(&:price) # calls :Item.price
items.select(&:ready?).each(&:price) # calls :Item.ready?, :Item.price
items.sort_by(&:price).first.price # calls :Item.price
