struct Node {
  virtual ~Node() {}
  void visit() {}
};
struct Leaf : Node {
  void value() {}
};
void walk(Node* node, const Node* fixed, void* raw) {
  static_cast<Leaf*>(node)->value();  // calls :Leaf.value@6
  if (Leaf* leaf = dynamic_cast<Leaf*>(node)) {
    leaf->value();  // calls :Leaf.value@6
  }
  const_cast<Node*>(fixed)->visit();  // calls :Node.visit@3
  static_cast<Node*>(raw)->visit();  // calls :Node.visit@3
  ((Leaf*)node)->visit();  // calls :Node.visit@3
}
