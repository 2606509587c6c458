trait Store { def load(): Int = 1 }
trait Service { self: Store =>
  def run(): Int = load() // calls :Store.load
  def again(): Int = self.load() + self.run() // calls :Store.load, :Service.run
}
