int open(const char* path, int mode = 0, bool fresh = true);
struct Log {
  void write(const char* text, int level = 1) const;
};
