#include <map>
#include <memory>
#include <string>
#include <vector>
#include <optional>

struct Node {
  explicit Node(int value) {}
  void visit() {}
  std::unique_ptr<Node> next;
  std::vector<Node*> children;
};

struct Graph {
  std::vector<Node> nodes;
  std::map<std::string, Node> named;
  std::shared_ptr<Node> root;
  void walk() {
    for (Node& node : nodes) node.visit();  // calls :Node.visit
    for (auto& node : nodes) node.visit();  // calls :Node.visit
    for (const auto& entry : named) {
      Node copy = entry.second;
      copy.visit();  // calls :Node.visit
    }
    for (auto& [name, node] : named) {
      node.visit();  // calls :Node.visit
    }
    root->visit();  // calls :Node.visit
    root->next->visit();  // calls :Node.visit
    root->next.get()->visit();  // calls :Node.visit
    nodes[0].visit();  // calls :Node.visit
    nodes.back().visit();  // calls :Node.visit
    nodes.front().children[1]->visit();  // calls :Node.visit
    named["a"].visit();  // calls :Node.visit
    named.at("b").visit();  // calls :Node.visit
    auto found = named.find("c");
    found->second.visit();  // calls :Node.visit
    for (auto it = nodes.begin(); it != nodes.end(); ++it) {
      it->visit();  // calls :Node.visit
      (*it).visit();  // calls :Node.visit
    }
    std::vector<Node>::iterator old = nodes.begin();
    old->visit();  // calls :Node.visit
  }
};

void free_functions(std::optional<Node> maybe) {
  auto owned = std::make_unique<Node>(1);
  owned->visit();  // calls :Node.visit
  auto shared = std::make_shared<Node>(2);
  shared->visit();  // calls :Node.visit
  auto moved = std::move(owned);
  moved->visit();  // calls :Node.visit
  maybe->visit();  // calls :Node.visit
  maybe.value().visit();  // calls :Node.visit
  std::unique_ptr<Node> direct(new Node(3));  // calls :Node.Node
  direct->visit();  // calls :Node.visit
  (*direct).visit();  // calls :Node.visit
  std::string("a").size();
}
