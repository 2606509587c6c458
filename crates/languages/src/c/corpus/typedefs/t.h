typedef struct stack stack_t;
typedef stack_t *stack_p;
typedef void free_fn(void *);
struct stack {
    free_fn *release;
    stack_p below;
};
stack_p top_of(stack_t *s);
