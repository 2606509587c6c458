namespace lib {
inline void start(int) {}
inline void start(const char*) {}
struct Base {
  void on(int) {}
  void on(double) {}
};
}
