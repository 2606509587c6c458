module Tool
  extend self

  def one
    two # calls :Tool.two
  end

  def two = 2
end
Tool.one # calls :Tool.one
