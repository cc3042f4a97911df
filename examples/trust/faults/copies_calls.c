/* Copies and assertions in called functions. A line that ends in the comment `fault` is where it goes wrong. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

static int heavy_of(int a, int b, int c)
{
    int heavy = 0;

    if (a > 10)
        heavy++;
    if (b > 20)
        heavy++;
    if (c > 30)
        heavy++;
    assert(heavy != 3); /* fault */
    return heavy;
}

/* Wrong: three heavy loads together fail an assertion of the callee, and no single one does. */
int load_of(int a, int b, int c)
{
    if (a < 0)
        return -1;
    return heavy_of(a, b, c);
}

static int light_of(int a, int b, int c)
{
    int light = 0;

    if (a < 10)
        light++;
    if (b < 20)
        light++;
    if (c < 30)
        light++;
    assert(light < 4);
    return light;
}

/* Right: more than three are not there. */
int rest_of(int a, int b, int c)
{
    if (a < 0)
        return -1;
    return light_of(a, b, c);
}

static void put_name(char *to, const char *name)
{
    strcpy(to, name); /* fault */
}

/* Wrong: who calls knows how much room there is, and who copies does not. */
int sign_of(const char *name)
{
    char sign[10];

    if (name == NULL)
        return -1;
    put_name(sign, name);
    return sign[0];
}
