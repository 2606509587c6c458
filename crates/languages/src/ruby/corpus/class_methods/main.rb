class Shop
  def self.open
    build # calls :Shop.build
  end

  def self.build = new # calls :Shop

  def Shop.close
    open # calls :Shop.open
  end

  def again
    self.class.open # calls :Shop.open
    Shop.build # calls :Shop.build
  end
end
Shop.open.again # calls :Shop.open, :Shop.again
Shop.close # calls :Shop.close
