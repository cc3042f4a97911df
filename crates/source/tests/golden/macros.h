#ifndef MACROS_H
#define MACROS_H
#define BETWEEN(x, low, high) ((x) >= (low) && (x) <= (high))
#define IS_SET(x) ((x) != 0)
static inline int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}
#endif
