/* Expected: output 3/4; processor 1/2; jumps 3/4. What assembly gives is not symbolic, it is counted where it stands, and nothing is
   proved through it.
   Concretised: output inline assembly; processor inline assembly; jumps inline assembly */
int output(int x)
{
    int r;
    __asm__("lea 1(%1), %0" : "=r"(r) : "r"(x));
    if (r == 1234567)
        return 1;
    if (x == 9)
        return 2;
    return 0;
}

unsigned processor(unsigned leaf)
{
    unsigned a = leaf, b, c, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
    if (a == 0x12345678)
        return 1;
    return 0;
}

int jumps(int x)
{
    __asm__ goto("test %0, %0\n jz %l1" : : "r"(x) : "cc" : zero);
    if (x == 3)
        return 1;
    return 0;
zero:
    if (x > 5)
        return 2;
    return 3;
}
