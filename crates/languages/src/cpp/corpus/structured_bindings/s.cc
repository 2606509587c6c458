#include <map>
#include <tuple>
#include <utility>
struct Lock {
  void open() {}
};
struct Door {
  Lock lock;
  int number;
};
std::pair<Lock, Door> both();
void all(Door door, std::map<int, Lock> locks) {
  auto [lock, number] = door;
  lock.open();  // calls :Lock.open@5
  auto [one, two] = both();  // calls :both@11
  one.open();  // calls :Lock.open@5
  two.lock.open();  // calls :Lock.open@5
  for (auto& [key, value] : locks) {
    value.open();  // calls :Lock.open@5
  }
}
