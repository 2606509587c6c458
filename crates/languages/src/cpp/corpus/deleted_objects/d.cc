#include "d.hpp"
Buffer::Buffer() {}
Buffer::~Buffer() {}
Ring::~Ring() {}
void gone(Buffer* b, Ring* r, Plain* p) {
  delete b;  // calls :Buffer.~Buffer@3
  delete r;  // calls :Ring.~Ring@4
  delete p;
}
