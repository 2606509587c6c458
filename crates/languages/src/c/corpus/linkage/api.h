#ifdef __cplusplus
extern "C" {
#endif
int api_open(void);
void api_fail(const char *format, ...);
#ifdef __cplusplus
}
#endif
