class Item
  def price = 1
end

class Cart
  extend T::Sig

  sig { params(item: Item, more: T::Array[Item], last: T.nilable(Item)).returns(Item) }
  def add(item, more, last)
    item.price # calls :Item.price
    more.first.price # calls :Item.price
    last.price # calls :Item.price
    item
  end

  sig { returns(T.any(Item, NilClass)) }
  def top = find # calls :Cart.find

  def find = eval('1')
end
cart = Cart.new # calls :Cart
cart.add(1, 2, 3).price # calls :Cart.add, :Item.price
cart.top.price # calls :Cart.top, :Item.price
