#include <string>

struct Slice {
  Slice(const char* text) {}
  Slice(const std::string& text) {}
  Slice(const char* text, int size) {}
};
struct Base {};
struct Derived : Base {};
enum Color { Red };
enum class Shade { Dark };

void put(int value) {}
void put(double value) {}
void put(const char* value) {}
void put(const std::string& value) {}
void put(const Slice& value, int times) {}
void put(Base* base) {}
void put(const Derived& derived) {}
void put(Shade shade) {}
void put(int a, int b, int c = 1) {}

void log(const char* format, ...) {}

struct Box {
  int& at(int index) { return value; }
  const int& at(int index) const { return value; }
  int value;
};

void use(Derived derived, std::string text, Box box, const Box& fixed, Shade shade) {
  put(1);  // calls :put@13
  put(1.5);  // calls :put@14
  put("a");  // calls :put@15
  put(text);  // calls :put@16
  put("a", 2);  // calls :put@17
  put(&derived);  // calls :put@18
  put(derived);  // calls :put@19
  put(shade);  // calls :put@20
  put(Shade::Dark);  // calls :put@20
  put(1, 2, 3);  // calls :put@21
  log("%d %d", 1, 2);  // calls :log
  Slice one("a");  // calls :Slice.Slice@4
  Slice two(text);  // calls :Slice.Slice@5
  Slice three("a", 1);  // calls :Slice.Slice@6
  box.at(1);  // calls :Box.at@26
  fixed.at(1);  // calls :Box.at@27
}
