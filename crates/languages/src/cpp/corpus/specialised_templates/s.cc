template <typename T> struct Writer {
  void write(T) {}
};
template <> struct Writer<bool> {
  void write(bool) {}
  void flip() {}
};
template <typename T> struct Writer<T*> {
  void write(T*) {}
};
void all(Writer<int> a, Writer<bool> b) {
  a.write(1);  // calls :Writer.write@2
  b.flip();  // calls :Writer.flip@6
}
