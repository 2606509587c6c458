class Query
  def where(x) = self

  def order(y)
    where(y) # calls :Query.where
    self
  end

  def first = Row.new # calls :Row
end

class Row
  def show = 1
end
Query.new.where(1).order(2).first.show # calls :Query, :Query.where, :Query.order, :Query.first, :Row.show
Query.new # calls :Query
  .where(1) # calls :Query.where
  .first # calls :Query.first
