struct Wheel {
  void turn() {}
};
struct Axle {
  Wheel left;
  Wheel* right;
};
struct Car {
  Axle front;
  Axle* back;
  void drive() {
    front.left.turn();  // calls :Wheel.turn@2
    back->left.turn();  // calls :Wheel.turn@2
    this->front.right->turn();  // calls :Wheel.turn@2
  }
};
void all(Car* cars, Car& car) {
  cars[0].front.left.turn();  // calls :Wheel.turn@2
  car.back->right->turn();  // calls :Wheel.turn@2
}
