class Item
  def price = 1
end

class Cart
  # @param item [Item] what is added
  # @param [Array<Item>] others more of them
  # @param options [Hash{Symbol => Item}]
  # @param either [Item, nil]
  # @param anything [Object]
  def add(item, others, options, either, anything)
    item.price # calls :Item.price
    others.each { |other| other.price } # calls :Item.price
    options[:a].price # calls :Item.price
    either.price # calls :Item.price
    anything.price
  end
end
