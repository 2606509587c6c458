struct Name {
  explicit Name(const char*) {}
  Name(const char*, int) {}
};
struct Key : Name {
  using Name::Name;
  void use() {}
};
void all() {
  Key a("x");
  Key b("y", 2);
  Key("z").use();  // calls :Key@5, :Key.use@7
}
