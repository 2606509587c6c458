struct Error {
  explicit Error(const char* text) : text_(text) {}
  const char* what() const { return text_; }
  const char* text_;
};
struct Deep : Error {
  Deep() : Error("deep") {}  // calls :Error.Error@2
};
void print(const char*) {}
void risk(int x) {
  if (x > 1) {
    throw Error("big");  // calls :Error.Error@2
  }
  throw Deep();  // calls :Deep.Deep@7
}
void safe() {
  try {
    risk(2);  // calls :risk@10
  } catch (const Deep& deep) {
    print(deep.what());  // calls :Error.what@3, :print@9
  } catch (const Error& e) {
    print(e.what());  // calls :Error.what@3, :print@9
  }
}
