int os_pages(void);
int os_name(void);
