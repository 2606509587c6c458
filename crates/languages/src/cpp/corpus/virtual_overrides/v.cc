struct Animal {
  virtual const char* name() const { return "animal"; }
  virtual void speak() { name(); }  // calls :Animal.name@2
  virtual ~Animal() {}
};
struct Dog : Animal {
  const char* name() const override { return "dog"; }
  void speak() override {
    Animal::speak();  // calls :Animal.speak@3
    name();  // calls :Dog.name@7
  }
};
struct Puppy final : Dog {
  void play() { speak(); }  // calls :Dog.speak@8
};
void all(Animal& a, Dog* d, Puppy p) {
  a.speak();  // calls :Animal.speak@3
  d->speak();  // calls :Dog.speak@8
  p.name();  // calls :Dog.name@7
  p.play();  // calls :Puppy.play@14
}
