class Item
  def price = 1

  def parts = [Item.new] # calls :Item
end
items = [Item.new] # calls :Item
items.each { |item| item.price } # calls :Item.price
items.map { |item| item.parts }.first.first.price # calls :Item.parts, :Item.price
items.flat_map { |item| item.parts }.each { |part| part.price } # calls :Item.parts, :Item.price
items.select { |item| item.price }.first.price # calls :Item.price
items.each_with_index { |item, n| item.price } # calls :Item.price
items.first.price # calls :Item.price
items[0].price # calls :Item.price
found, rest = items.partition { |item| item.price } # calls :Item.price
found.first.price # calls :Item.price
rest.each { |item| item.price } # calls :Item.price
items.group_by { |item| item.price }.each do |key, group| # calls :Item.price
  group.first.price # calls :Item.price
end
first, second = items
first.price # calls :Item.price
items.find { |item| item.price }.price # calls :Item.price
items.each_with_object([]) { |item, all| item.price } # calls :Item.price
