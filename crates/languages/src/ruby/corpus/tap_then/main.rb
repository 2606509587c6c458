class Item
  def price = 1

  def other = Item.new # calls :Item
end
item = Item.new.tap { |it| it.price } # calls :Item, :Item.price
item.price # calls :Item.price
item.then { |it| it.other }.price # calls :Item.other, :Item.price
item.dup.price # calls :Item.price
item.freeze.itself.price # calls :Item.price
