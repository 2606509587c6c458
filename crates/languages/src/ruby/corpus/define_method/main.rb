class Job
  define_method(:step) do |n|
    other(n) # calls :Job.other
  end

  def other(n) = n

  %w[a b].each do |name|
    define_method("#{name}_step") { other(1) } # calls :Job.other
  end

  def run
    step(1) # calls :Job.step
    a_step
  end
end
Job.new.run # calls :Job, :Job.run
