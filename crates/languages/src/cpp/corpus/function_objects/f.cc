#include <algorithm>
#include <vector>
struct ByAge {
  bool operator()(int a, int b) const { return a < b; }
};
class Sorter {
 public:
  bool before(int a, int b) const {
    return order_(a, b);  // calls :ByAge.operator()@4
  }
 private:
  ByAge order_;
};
bool all(std::vector<int>& v, ByAge order) {
  std::sort(v.begin(), v.end(), ByAge());  // calls :ByAge@3
  Sorter s;
  return order(1, 2) && s.before(1, 2);  // calls :ByAge.operator()@4, :Sorter.before@8
}
