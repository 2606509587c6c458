class Job
  def run
    [1].each do |n|
      step(n) # calls :Job.step
    end
    3.times { step(1) } # calls :Job.step
  end

  def step(n) = n
end
Job.new.run # calls :Job, :Job.run
