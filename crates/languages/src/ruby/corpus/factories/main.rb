class Base
  def self.create
    new # calls :Base
  end

  def self.both = [create, new] # calls :Base.create, :Base

  def copy = self.class.new # calls :Base
end

class Sub < Base
  def only = 1
end
Sub.create.only # calls :Base.create, :Sub.only
Sub.new.copy # calls :Sub, :Base.copy
Sub.both.first.only # calls :Base.both, :Sub.only
