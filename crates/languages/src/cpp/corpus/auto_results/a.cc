struct Row {
  int width() { return 1; }
};
auto make() { return Row(); }  // calls :Row@1
auto later() -> Row { return Row(); }  // calls :Row@1
auto through() { return make(); }  // calls :make@4
int main() {
  auto a = make();  // calls :make@4
  auto b = later();  // calls :later@5
  auto c = through();  // calls :through@6
  return a.width() + b.width() + c.width();  // calls :Row.width@2
}
