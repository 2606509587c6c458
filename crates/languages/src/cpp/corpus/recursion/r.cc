bool odd(int n);
bool even(int n) {
  return n == 0 || odd(n - 1);  // calls :odd@5
}
bool odd(int n) {
  return n != 0 && even(n - 1);  // calls :even@2
}
struct Tree {
  Tree* left;
  Tree* right;
  int depth() const {
    int a = left ? left->depth() : 0;  // calls :Tree.depth@11
    int b = right ? right->depth() : 0;  // calls :Tree.depth@11
    return 1 + (a > b ? a : b);
  }
};
