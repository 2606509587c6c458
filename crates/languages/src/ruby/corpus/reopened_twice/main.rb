require_relative 'first'
require_relative 'second'
Thing.new.name # calls first.rb:Thing, second.rb:Thing.name (missed)
