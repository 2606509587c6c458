#include <map>
#include <string>
#include <vector>
struct Job {
  void run() {}
  std::string name() const { return ""; }
};
class Queue {
 public:
  void add(const Job& job) { jobs_.push_back(job); }
  void all() {
    for (auto& job : jobs_) {
      job.run();  // calls :Job.run@5
    }
    jobs_.front().run();  // calls :Job.run@5
    named_["x"].run();  // calls :Job.run@5
    for (const auto& entry : named_) {
      entry.second.name();  // calls :Job.name@6
    }
    auto it = named_.find("y");
    if (it != named_.end()) {
      it->second.run();  // calls :Job.run@5
    }
  }
 private:
  std::vector<Job> jobs_;
  std::map<std::string, Job> named_;
};
