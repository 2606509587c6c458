#include <memory>
class Widget {
 public:
  Widget();
  ~Widget();
  void draw();
 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
