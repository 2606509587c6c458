enum Level { LOW, HIGH };
enum class Mode { READ, WRITE };
struct File {
  enum Kind { TEXT, BINARY };
  void open(Kind) {}
  void open(Mode) {}
};
void set(Level) {}
void set(Mode) {}
void set(unsigned) {}
void all(File f, Mode m) {
  set(LOW);  // calls :set@8
  set(Mode::READ);  // calls :set@9
  set(m);  // calls :set@9
  f.open(File::TEXT);  // calls :File.open@5
  f.open(m);  // calls :File.open@6
}
