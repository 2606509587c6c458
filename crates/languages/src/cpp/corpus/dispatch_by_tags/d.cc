struct Fast {};
struct Slow {};
void step(Fast, int) {}
void step(Slow, int) {}
template <typename T> struct Speed { using kind = Slow; };
void go() {
  step(Fast(), 1);  // calls :Fast@1, :step@3
  step(Slow{}, 2);  // calls :step@4
  Fast f;
  step(f, 3);  // calls :step@3
}
