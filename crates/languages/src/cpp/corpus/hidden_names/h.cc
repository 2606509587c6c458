int value(int) { return 1; }
namespace app {
int value(const char*) { return 2; }
struct Base {
  int value(double) { return 3; }
};
struct Derived : Base {
  int all() {
    return value(1.5) + app::value("x") + ::value(1);  // calls :value@1, :app.value@3, :app.Base.value@5
  }
};
int free_one() {
  return value("y");  // calls :app.value@3
}
}
