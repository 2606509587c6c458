#pragma once
#include <memory>

class Widget {
 public:
  Widget();
  void draw();
  class Style {
   public:
    void apply();
    struct Color { int red() const { return 1; } };
    Color color() const;
  };
  Style style();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};
