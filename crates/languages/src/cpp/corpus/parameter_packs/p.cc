struct Out {
  void put(int) {}
  void put(const char*) {}
};
template <typename... Args>
void print(Out& out, Args... args) { (out.put(args), ...); }
template <typename T, typename... Rest>
T first(T one, Rest...) { return one; }
void all(Out& out) {
  print(out, 1, "a");  // calls :print@6
  print(out);  // calls :print@6
  first(out, 1).put(2);  // calls :Out.put@2, :first@8
}
