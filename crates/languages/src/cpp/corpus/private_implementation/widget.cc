#include "widget.hpp"
struct Widget::Impl {
  void paint() { count++; }
  int count = 0;
};
Widget::Widget() : impl_(new Impl) {}
Widget::~Widget() {}
void Widget::draw() {
  impl_->paint();  // calls :Widget.Impl.paint@3
  (*impl_).paint();  // calls :Widget.Impl.paint@3
}
