class Job
  def initialize(name:, retries: 3)
    @name = name
  end

  def run(fast: false, **rest) = fast
end
job = Job.new(name: 'a') # calls :Job.initialize
job.run(fast: true, other: 1) # calls :Job.run
options = { fast: true }
job.run(**options) # calls :Job.run
