class Report
  def print
    header # calls :Sales.header
    body # calls :Report.body
  end

  def body = 1
end

class Sales < Report
  def header = 1
end
Sales.new.print # calls :Sales, :Report.print
