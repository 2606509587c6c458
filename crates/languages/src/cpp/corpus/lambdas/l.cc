struct Job {
  void run() {}
  void all() {
    auto each = [this](Job& other, int times) {
      run();  // calls :Job.run
      other.run();  // calls :Job.run
      this->run();  // calls :Job.run
      return times;
    };
    each(*this, 1);
  }
};

template <typename F>
void twice(F f) { f(); }

void use(Job job) {
  twice([&] { job.run(); });  // calls :twice, :Job.run
  twice([copy = job]() mutable { copy.run(); });  // calls :twice, :Job.run
  auto generic = [](auto x) { x.run(); };
  generic(job);
  auto result = [](int job) { return job; };
}
