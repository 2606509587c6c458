#include "stack.h"

Stack::Stack() { grow(); }  // calls :Stack.grow

Stack::Stack(int limit) : Stack() {  // calls :Stack.Stack@3
  while (limit-- > 0) this->grow();  // calls :Stack.grow
}

Stack::~Stack() {}

bool Stack::push(int value) {
  if (size() > value) {  // calls stack.h:Stack.size
    grow();  // calls :Stack.grow
    return true;
  }
  return push(value - 1);  // calls :Stack.push
}

int Stack::top() const { return size(); }  // calls stack.h:Stack.size

Stack* Stack::shared() {
  static Stack stack(3);  // calls :Stack.Stack@5
  return &stack;
}

void Stack::grow() {}
