module Logged
  def run
    super # calls :Job.run
  end
end

class Job
  prepend Logged

  def run = 1
end
Job.new.run # calls :Job, :Logged.run
