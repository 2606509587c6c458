#define getpid() windows_pid() // calls :windows_pid
#define sleep windows_sleep
int windows_pid(void);
int windows_sleep(int seconds);
int open_console(void);
