class Node {
 public:
  Node& add() {
    this->check();  // calls :Node.check@15
    check();  // calls :Node.check@15
    (*this).check();  // calls :Node.check@15
    Node::check();  // calls :Node.check@15
    return *this;
  }
  void all() {
    add().add();  // calls :Node.add@3
    this->next->add();  // calls :Node.add@3
  }
 private:
  void check() {}
  Node* next;
};
