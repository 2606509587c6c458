class Item
  def price = 1
end

def show(item, list)
  item.price
  list.each { |one| one.price }
  @thing.price
  item.other.price
  Nowhere.price
  undefined_thing.price
end
