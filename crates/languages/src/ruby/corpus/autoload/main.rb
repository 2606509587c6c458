$LOAD_PATH.unshift("#{__dir__}/lib")
autoload :Cart, 'cart'
Cart.new.add # calls lib/cart.rb:Cart, lib/cart.rb:Cart.add
