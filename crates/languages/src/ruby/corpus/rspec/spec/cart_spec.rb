require_relative '../lib/cart'
RSpec.configure do |config|
  config.include Helpers
end

RSpec.describe Cart do
  subject(:cart) { described_class.new } # calls lib/cart.rb:Cart

  let(:item) { Item.new } # calls lib/cart.rb:Item

  before { cart.add(item) } # calls :cart, lib/cart.rb:Cart.add, :item

  def helper = 1

  it 'adds' do
    cart.add(item) # calls :cart, lib/cart.rb:Cart.add, :item
    helper # calls :helper
    shared # calls lib/cart.rb:Helpers.shared
    subject.add(1) # calls :cart, lib/cart.rb:Cart.add
  end

  context 'with more' do
    let(:other) { item } # calls :item

    it { other.price } # calls :other, lib/cart.rb:Item.price
  end
end
