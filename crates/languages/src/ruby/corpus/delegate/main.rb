class Company
  def address = 1

  def name = 2
end

class Person
  attr_reader :company

  delegate :address, to: :company # calls :Company.address
  delegate :name, to: :@company # calls :Company.name

  def initialize
    @company = Company.new # calls :Company
  end
end
Person.new.address # calls :Person.initialize, :Person.address
