require 'forwardable'
class Line
  def size = 1

  def empty? = false
end

class Queue2
  extend Forwardable

  def_delegators :@line, :size, :empty? # calls :Line.size, :Line.empty?
  def_delegator :@line, :size, :count # calls :Line.size

  def initialize
    @line = Line.new # calls :Line
  end
end
queue = Queue2.new # calls :Queue2.initialize
queue.size # calls :Queue2.size
queue.count # calls :Queue2.count
