/* Expected: undeclared 2/2. gcc warns of a call without a declaration, and clang calls it an error: the unit is not to blame.
   Judges: gcc */
int undeclared(int n)
{
    if (somewhere(n) == 9)
        return 1;
    return 0;
}
