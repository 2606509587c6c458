class Job
  def run
    [1, 2].map(&method(:step)) # calls :Job.step
    m = method(:step)
    m.call(1) # calls :Job.step (missed)
  end

  def step(n) = n
end
Job.new.run # calls :Job, :Job.run
