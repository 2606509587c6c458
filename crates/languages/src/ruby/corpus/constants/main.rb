class Tax
  def rate = 2
end

module Shop
  class Tax
    def rate = 1
  end

  class Cart
    def total
      Tax.new.rate # calls :Shop.Tax, :Shop.Tax.rate
      ::Tax.new.rate # calls :Tax, :Tax.rate
      Shop::Tax.new # calls :Shop.Tax
    end
  end
end
Tax.new.rate # calls :Tax, :Tax.rate
Shop::Cart.new.total # calls :Shop.Cart, :Shop.Cart.total
