#include "widget.h"

class Widget::Impl {
 public:
  void paint() { helper(); }  // calls :Widget.Impl.helper
  void helper();
};

void Widget::Impl::helper() {
  paint();  // calls :Widget.Impl.paint
}

Widget::Widget() {}

void Widget::draw() {
  impl_->paint();  // calls :Widget.Impl.paint
  impl_->helper();  // calls :Widget.Impl.helper
  style().apply();  // calls :Widget.style, :Widget.Style.apply
  Style().color().red();  // calls widget.h:Widget.Style, :Widget.Style.color, widget.h:Widget.Style.Color.red
}

Widget::Style Widget::style() { return Style(); }  // calls widget.h:Widget.Style

void Widget::Style::apply() {
  color().red();  // calls :Widget.Style.color, widget.h:Widget.Style.Color.red
}

Widget::Style::Color Widget::Style::color() const { return Color(); }  // calls widget.h:Widget.Style.Color
