class Row
  def show = 1
end

class Table
  def initialize
    @rows = [Row.new] # calls :Row
  end

  def each_row
    @rows.each do |row|
      row.show # calls :Row.show
      yield row
    end
  end

  def all(&block)
    @rows.each(&block)
  end

  def with(&block)
    block.call(Row.new) # calls :Row
  end
end
table = Table.new # calls :Table.initialize
table.each_row { |row| row.show } # calls :Table.each_row, :Row.show
table.all do |row| # calls :Table.all
  row.show # calls :Row.show
end
table.with { |row| row.show } # calls :Table.with, :Row.show
