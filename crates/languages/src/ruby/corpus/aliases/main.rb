class List
  def size = 1
  alias length size
  alias_method :count, :size

  def go
    length # calls :List.size
    count # calls :List.size
  end
end

class Old
  def run = 1
  alias_method :old_run, :run

  def run
    old_run # calls :Old.run@13
  end
end
List.new.length # calls :List, :List.size
Old.new.run # calls :Old, :Old.run@16
