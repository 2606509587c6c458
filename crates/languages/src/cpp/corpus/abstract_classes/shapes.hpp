class Shape {
 public:
  virtual ~Shape();
  virtual double area() const = 0;
  double doubled() const;
};
class Square : public Shape {
 public:
  explicit Square(double side);
  double area() const override;
 private:
  double side_;
};
