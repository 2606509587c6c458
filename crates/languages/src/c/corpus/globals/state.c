#include "state.h"
struct server server;
int verbose;
int (*on_error)(int);
