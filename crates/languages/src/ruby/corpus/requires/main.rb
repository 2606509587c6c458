require_relative 'lib/tools'
require 'json'
require_relative 'lib/more/parts'
tool # calls lib/tools.rb:tool
JSON.parse('{}')
More::Parts.new.go # calls lib/more/parts.rb:More.Parts, lib/more/parts.rb:More.Parts.go
part_helper # calls lib/more/helper.rb:part_helper
