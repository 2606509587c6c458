class Money {
 public:
  explicit Money(int cents) : cents_(cents) {}
  Money operator+(const Money& other) const { return Money(cents_ + other.cents_); }  // calls :Money.Money@3
  Money& operator+=(const Money& other) { cents_ += other.cents_; return *this; }
  bool operator==(const Money& other) const { return cents_ == other.cents_; }
  int cents() const { return cents_; }
 private:
  int cents_;
};
bool operator!=(const Money& a, const Money& b) {
  return !(a == b);  // calls :Money.operator==@6
}
int all(Money a, Money b) {
  Money c = a + b;  // calls :Money.operator+@4
  c += a;  // calls :Money.operator+=@5
  if (a != c) {  // calls :operator!=@11
    return (a + b + c).cents();  // calls :Money.operator+@4, :Money.cents@7
  }
  return 0;
}
