class Log
  def add(text) = text
end

class Base
  def initialize
    @log = Log.new # calls :Log
  end
end

class Job < Base
  def run
    @log.add('a') # calls :Log.add
    @other.add('b')
  end
end
Job.new.run # calls :Base.initialize, :Job.run
