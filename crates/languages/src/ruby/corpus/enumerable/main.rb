class Item
  def price = 1
end

class Basket
  include Enumerable

  def initialize
    @items = [Item.new] # calls :Item
  end

  def each(&block)
    @items.each(&block)
  end
end
basket = Basket.new # calls :Basket.initialize
basket.each { |item| item.price } # calls :Basket.each, :Item.price
basket.map { |item| item.price } # calls :Item.price
basket.first.price # calls :Item.price
basket.select { |item| item.price }.first.price # calls :Item.price
basket.each_with_index { |item, n| item.price } # calls :Item.price
