#include "lib.h"
int lib_open(struct lib_state *state) { return state->count; }
void lib_close(struct lib_state *state) { lib_open(state); }  // calls :lib_open
