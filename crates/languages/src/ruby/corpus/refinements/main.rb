module Loud
  refine String do
    def shout = upcase
  end
end

module Other
  using Loud

  def self.go = 'a'.shout # calls :Loud.shout (missed)
end
Other.go # calls :Other.go
