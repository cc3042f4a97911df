/* Classifies a triangle by its sides. */
enum triangle { NOT_A_TRIANGLE, SCALENE, ISOSCELES, EQUILATERAL };

enum triangle triangle(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return NOT_A_TRIANGLE;
    if ((long)a + b <= c || (long)b + c <= a || (long)a + c <= b)
        return NOT_A_TRIANGLE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}
