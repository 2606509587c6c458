struct Engine {
  void start() {}
};
using Motor = Engine;
typedef Engine* MotorPointer;
template <typename T> struct Box {
  T inside;
  T* operator->() { return &inside; }
  T& open() { return inside; }
};
template <typename T> using Packed = Box<Box<T>>;
using MotorBox = Box<Motor>;
void run(Motor& m, MotorPointer p, MotorBox b, Packed<Engine> q) {
  m.start();  // calls :Engine.start@2
  p->start();  // calls :Engine.start@2
  b.open().start();  // calls :Engine.start@2, :Box.open@9
  q.open().open().start();  // calls :Engine.start@2, :Box.open@9
}
