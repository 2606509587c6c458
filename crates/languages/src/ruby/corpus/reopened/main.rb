require_relative 'first'
require_relative 'second'
thing = Thing.new # calls first.rb:Thing.initialize
thing.one # calls first.rb:Thing.one
thing.two # calls second.rb:Thing.two
