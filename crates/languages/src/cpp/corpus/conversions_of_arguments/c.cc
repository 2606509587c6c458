struct Slice {
  Slice(const char* text) : text_(text) {}
  const char* text_;
};
struct Number {
  explicit Number(int) {}
};
void put(const Slice&) {}
void put(double) {}
void put(const Number&) {}
void all() {
  put("text");  // calls :put@8
  put(1.5);  // calls :put@9
  put(Number(1));  // calls :Number.Number@6, :put@10
  put(Slice("a"));  // calls :Slice.Slice@2, :put@8
}
