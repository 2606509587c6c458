class Item
  def price = 1
end
items = { a: Item.new, b: Item.new } # calls :Item
items[:a].price # calls :Item.price
items.each { |key, item| item.price } # calls :Item.price
items.each_value { |item| item.price } # calls :Item.price
items.values.first.price # calls :Item.price
items.map { |key, item| item }.first.price # calls :Item.price
items.fetch(:b).price # calls :Item.price
items.transform_values { |item| item.price } # calls :Item.price
items.select { |key, item| item.price }.each_value { |item| item.price } # calls :Item.price
items.min_by { |key, item| item.price }.last # calls :Item.price
