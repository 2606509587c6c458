class Text {
 public:
  char& at(int n) { return data_[n]; }
  char at(int n) const { return data_[n]; }
 private:
  char data_[9];
};
class Page {
 public:
  char first() const {
    return text_.at(0);  // calls :Text.at@4
  }
  char& begin() {
    return text_.at(0);  // calls :Text.at@3
  }
 private:
  Text text_;
};
char look(const Text& fixed, Text open) {
  char c = fixed.at(1);  // calls :Text.at@4
  open.at(2) = c;  // calls :Text.at@3
  return c;
}
