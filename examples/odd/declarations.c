/* Refused: defines no function with a body (it only declares f) */
int f(int);
extern int x;
