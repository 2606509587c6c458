namespace money {
class Coin {
 public:
  explicit Coin(int value) : value_(value) {}
  friend Coin join(const Coin& a, const Coin& b) { return Coin(a.value_ + b.value_); }  // calls :money.Coin.Coin@4
  friend int worth(const Coin& c);
 private:
  int value_;
};
int worth(const Coin& c) { return c.value_; }
}
int all() {
  money::Coin a(1);  // calls :money.Coin.Coin@4
  money::Coin b = join(a, a);  // calls :money.join@5
  return worth(b);  // calls :money.worth@10
}
