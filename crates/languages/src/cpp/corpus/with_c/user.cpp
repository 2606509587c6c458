#include "lib.h"
#include <cstring>

class Handle {
 public:
  Handle() { lib_open(&state_); }  // calls lib.c:lib_open
  ~Handle() { ::lib_close(&state_); }  // calls lib.c:lib_close
  int count() const { return state_.count; }

 private:
  lib_state state_;
};

int main() {
  Handle handle;
  memset(&handle, 0, 1);
  return handle.count();  // calls :Handle.count
}
