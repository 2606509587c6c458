class Result {
 public:
  explicit operator bool() const { return good; }
  bool good = true;
  int value() const { return 1; }
};
Result compute() { return Result(); }  // calls :Result@1
int use(Result r, Result* p) {
  if (r) {  // calls :Result.operator bool@3
    return r.value();  // calls :Result.value@5
  }
  if (!r) {  // calls :Result.operator bool@3
    return 0;
  }
  while (p) {
    p = nullptr;
  }
  return r ? 1 : compute().value();  // calls :Result.operator bool@3, :Result.value@5, :compute@7
}
