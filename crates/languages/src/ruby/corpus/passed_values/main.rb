class Item
  def price = 1
end

class Cart
  def run
    show(Item.new) # calls :Cart.show, :Item
    list([Item.new]) # calls :Cart.list, :Item
  end

  private

  def show(item)
    item.price # calls :Item.price
  end

  def list(items)
    items.each { |item| item.price } # calls :Item.price
  end
end
Cart.new.run # calls :Cart, :Cart.run
