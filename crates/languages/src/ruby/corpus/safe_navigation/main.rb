class Item
  def price = 1

  def other = self
end
item = Item.new # calls :Item
item&.price # calls :Item.price
item&.other&.price # calls :Item.other, :Item.price
