class Log
  def add = 1
end

class Job
  @@log = Log.new # calls :Log

  def run
    @@log.add # calls :Log.add
  end

  def self.go
    @@log.add # calls :Log.add
  end
end
Job.new.run # calls :Job, :Job.run
Job.go # calls :Job.go
