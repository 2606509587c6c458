#pragma once
#include <string>

class Stack {
 public:
  Stack();
  explicit Stack(int limit);
  ~Stack();
  bool push(int value);
  int top() const;
  int size() const { return count_; }
  static Stack* shared();

 private:
  void grow();
  int count_ = 0;
};
