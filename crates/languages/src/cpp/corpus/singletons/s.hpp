class Registry {
 public:
  static Registry& instance();
  int find(int key);
 private:
  Registry() {}
};
