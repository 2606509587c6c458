struct Config {
  static Config load();
  static int count;
  int size() const;
};
