class Cart
  class Item
    def price = 1
  end
end
