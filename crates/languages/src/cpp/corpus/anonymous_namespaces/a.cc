namespace {
int depth() { return 1; }
class Local {
 public:
  int get() { return depth(); }  // calls :depth@2
};
}
int first() {
  Local one;
  return one.get();  // calls :Local.get@5
}
