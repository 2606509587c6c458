require_relative 'helper'
module More
  class Parts
    def go = part_helper # calls lib/more/helper.rb:part_helper
  end
end
