class Cart
  autoload :Item, 'cart/item'

  def add = Item.new.price # calls lib/cart/item.rb:Cart.Item, lib/cart/item.rb:Cart.Item.price
end
