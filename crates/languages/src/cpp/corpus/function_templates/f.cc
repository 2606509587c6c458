template <typename T>
const T& larger(const T& a, const T& b) { return a.size() > b.size() ? a : b; }
template <typename T>
void each(T* all, int n, void (*f)(T&)) {
  for (int i = 0; i < n; i++) {
    f(all[i]);
  }
}
struct Word {
  int size() const { return 1; }
};
void print(Word&) {}
int main() {
  Word a, b;
  Word all[3];
  each(all, 3, print);  // calls :each@4
  return larger(a, b).size() + larger<Word>(b, a).size();  // calls :larger@2, :Word.size@10
}
