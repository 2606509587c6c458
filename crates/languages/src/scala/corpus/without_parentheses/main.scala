class Clock {
  def now: Int = tick // calls :Clock.tick
  def tick: Int = 1
  val zone: Int = 2
  def both: Int = this.now + zone // calls :Clock.now
}
