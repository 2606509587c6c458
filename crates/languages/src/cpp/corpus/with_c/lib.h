#ifndef LIB_H
#define LIB_H
#ifdef __cplusplus
extern "C" {
#endif
struct lib_state { int count; };
int lib_open(struct lib_state *state);
void lib_close(struct lib_state *state);
#ifdef __cplusplus
}
#endif
#endif
