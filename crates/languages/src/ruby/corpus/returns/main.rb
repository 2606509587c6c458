class A
  def go = 1
end

class Factory
  def make
    A.new # calls :A
  end

  def maybe(flag)
    return nil unless flag

    make # calls :Factory.make
  end

  def chosen(flag)
    case flag
    when 1 then make # calls :Factory.make
    else A.new # calls :A
    end
  end
end
factory = Factory.new # calls :Factory
factory.make.go # calls :Factory.make, :A.go
factory.maybe(true).go # calls :Factory.maybe, :A.go
factory.chosen(1).go # calls :Factory.chosen, :A.go
