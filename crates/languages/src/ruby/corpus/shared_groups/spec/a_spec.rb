RSpec.shared_context 'with a box' do
  let(:box) { Box.new } # calls lib/box.rb:Box
end

RSpec.shared_examples 'a thing' do
  it 'opens' do
    thing.open # calls :thing, lib/box.rb:Box.open
  end
end

RSpec.describe Box do
  include_context 'with a box'

  let(:thing) { box } # calls :box

  it_behaves_like 'a thing'

  it { box.open } # calls :box, lib/box.rb:Box.open
end
