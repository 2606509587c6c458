#ifndef SHAPE_H
#define SHAPE_H
int area(int w, int h);
int border(int w, int h);
#endif
