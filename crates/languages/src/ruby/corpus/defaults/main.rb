class Clock
  def now = 1
end

class Timer
  def initialize(clock = Clock.new) # calls :Clock
    @clock = clock
  end

  def read(from: Clock.new) # calls :Clock
    @clock.now # calls :Clock.now
    from.now # calls :Clock.now
  end
end
Timer.new.read # calls :Timer.initialize, :Timer.read
