class Money
  attr_reader :cents

  def initialize(cents)
    @cents = cents
  end

  def +(other)
    Money.new(cents + other.cents) # calls :Money.initialize, :Money.cents
  end

  def ==(other) = true

  def -@ = self

  def <=>(other) = 0

  def !~(other) = false

  def =~(other) = true
end
a = Money.new(1) # calls :Money.initialize
b = Money.new(2) # calls :Money.initialize
c = a + b # calls :Money.+
c.cents # calls :Money.cents
a == b # calls :Money.==
a != b # calls :Money.==
-a # calls :Money.-@
a <=> b # calls :Money.<=>
a =~ b # calls :Money.=~
a += b # calls :Money.+
a.cents # calls :Money.cents
1 + 2
