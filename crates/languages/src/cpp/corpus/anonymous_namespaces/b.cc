namespace {
int depth() { return 2; }
}
int second() {
  return depth();  // calls :depth@2
}
