class Job
  def run
    send(:step, 1) # calls :Job.step
    public_send('open') # calls :Job.open
    name = :step
    send(name, 1) # calls :Job.step (missed)
    __send__(:hidden) # calls :Job.hidden
  end

  def open = 1

  def step(n) = n

  private

  def hidden = 1
end
Job.new.run # calls :Job, :Job.run
Job.new.send(:hidden) # calls :Job, :Job.hidden
