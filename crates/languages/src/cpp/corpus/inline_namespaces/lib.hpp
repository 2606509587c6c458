namespace lib {
inline namespace v2 {
struct Api {
  int version() { return 2; }
};
inline int current() { return 2; }
}
namespace v1 {
inline int current() { return 1; }
}
}
