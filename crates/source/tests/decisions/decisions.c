// Decisions: joined, nested, folded, outside control flow, split by something between their operators.
int f(int);
int decisions(int a,int b,int c){
  int r=0;
  if (a && b) r++;
  if (f(a && b) || c) r++;
  if ((a && b ? c : a) || c) r++;
  if (!(a && b) || !c) r++;
  if (a && 1) r++;
  if (a && 1 && b) r++;
  if ((a && b) ?: c) r++;
  r += a && b;
  r += f(a || b || f(c && a));
  if ((a, b) && ({ int t = a && c; t || b; })) r++;
  if (a == (b && c)) r++;
  if ((a && b) == c && c) r++;
  if ((int)(a && b) && c) r++;
  if (a && (b ? c : r)) r++;
  while (a && b) { a--; }
  for (; a || b; a--) b--;
  do r++; while (a && b);
  r += (a && b) ? (b || c) : c;
  if (!!(a && b)) r++;
  if ((0, a && b)) r++;
  if (-(a && b)) r++;
  if (__builtin_expect(a && b, 1)) r++;
  if (0 && a && b) r++;
  if (a && (b, c)) r++;
  if (__extension__(a && b) && c) r++;
  if (({ a && b; }) && c) r++;
  r = ({ a && b && c; });
  return a && b;
}

int split(int a, int b, int c) {
    int r = a && f(b && f(a || c));
    r += !(a || b) && c;
    r += a && !!(b || c);
    r += (a, b && c) || a;
    r += f(f(a && b) + (b || c));
    r += (a && b) + (b || c) * !(c && a);
    r += a && b ? c || a : b && a;
    if (!(a || b))
        r++;
    return ((a) && (((b || c)))) || ((a && (b)) && c);
}

#define BOTH(x, y) ((x) && (y))
#define EITHER(x, y) ((x) || BOTH(y, x))
int macros(int a, int b, int c) {
    if (BOTH(a, b))
        return 1;
    if (EITHER(a, b) && c)
        return 2;
    return BOTH(a, EITHER(b, c)) ? 3 : 4;
}

int many(const int *v) {
    return v[0] && v[1] && v[2] && v[3] && v[4] && v[5] && v[6] && v[7] && v[8] && v[9] && v[10] && v[11] && v[12]
        && v[13] && v[14] && v[15] && v[16] && v[17] && v[18] && v[19] && v[20] && v[21] && v[22] && v[23] && v[24]
        && v[25] && v[26] && v[27] && v[28] && v[29] && v[30] && v[31] && v[32] && v[33] && v[34] && v[35] && v[36];
}
