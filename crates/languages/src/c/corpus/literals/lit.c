struct point { int x; int (*move)(int); };
struct line { struct point from, to; };

static int shift(int x)
{
    return x;
}

static int draw(struct line *l)
{
    return l->to.move(1); // calls :point.move
}

int all(void)
{
    struct line l = { .from = { 1, shift }, .to.move = shift };
    draw(&(struct line){ .to = { .x = shift(2) } }); // calls :draw, :shift
    return l.from.move(2) + ((struct point){ 1, shift }).move(3); // calls :point.move
}
