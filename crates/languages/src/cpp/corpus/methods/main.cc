#include "stack.h"

int main() {
  Stack stack(2);  // calls stack.cc:Stack.Stack@5
  stack.push(1);  // calls stack.cc:Stack.push
  Stack* other = &stack;
  other->push(2);  // calls stack.cc:Stack.push
  (*other).top();  // calls stack.cc:Stack.top
  Stack& same = *other;
  same.size();  // calls stack.h:Stack.size
  Stack::shared()->push(3);  // calls stack.cc:Stack.shared, stack.cc:Stack.push
  Stack* made = new Stack(4);  // calls stack.cc:Stack.Stack@5
  made->top();  // calls stack.cc:Stack.top
  delete made;  // calls stack.cc:Stack.~Stack
  std::string text("a");
  return text.size();
}
