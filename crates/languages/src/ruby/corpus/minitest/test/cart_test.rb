require 'minitest/autorun'
require_relative '../lib/cart'
class CartTest < Minitest::Test
  def setup
    @cart = Cart.new # calls lib/cart.rb:Cart
  end

  def test_add
    @cart.add(1) # calls lib/cart.rb:Cart.add
    check # calls :CartTest.check
  end

  def check = 1
end
