struct server { int (*accept)(int); int clients; };
extern struct server server;
extern int verbose;
extern int (*on_error)(int);
