void run() {}
void stop(int) {}
struct Timer {
  void stop() {}
  void run(int) {}
  void all() {
    run(1);  // calls :Timer.run
    ::run();  // calls :run
    stop();  // calls :Timer.stop
  }
};
struct Local {
  void act() {}
};
Local item;
void use(Timer item) {
  item.stop();  // calls :Timer.stop
  {
    Local item;
    item.act();  // calls :Local.act
  }
  item.run(1);  // calls :Timer.run
  int run = 0;
  struct Timer { void inner() {} };
  Timer timer;
  timer.inner();  // calls :use.Timer.inner
}
void other() {
  item.act();  // calls :Local.act
  run();  // calls :run
}
