class Cart
  def add(item)
    check(item) # calls :Cart.check
    self.count(item) # calls :Cart.count
  end

  def check(item) = item

  def count(item) = 1
end
cart = Cart.new # calls :Cart
cart.add(1) # calls :Cart.add
Cart.new.check(2) # calls :Cart, :Cart.check
