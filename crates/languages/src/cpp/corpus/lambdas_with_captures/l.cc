struct Timer {
  void stop() {}
  void later() {
    auto f = [this] { stop(); };  // calls :Timer.stop@2
    f();  // calls :f@4 (missed)
  }
};
int help(int x) { return x; }
template <typename F> void apply(F f) { f(1); }
void all(Timer t) {
  apply([&t](int x) {  // calls :apply@9
    t.stop();  // calls :Timer.stop@2
    help(x);  // calls :help@8
  });
  apply([copy = t](int) mutable {  // calls :apply@9
    copy.stop();  // calls :Timer.stop@2
  });
}
