/* Expected: accented 6/6; in_a_string 2/2. A file in Latin-1: café.
   Goals: accented 7:19 s[0] == (char)0xe9; accented 9:19 s[1] == 'é' */
int accented(const char *s)
{
    if (!s)
        return 0;
    /* ééé */ if (s[0] == (char)0xe9)
        return 1;
    /* ééé */ if (s[1] == 'é')
        return 2;
    return 3;
}

int in_a_string(int n)
{
    const char *name = "café";
    if (n == (unsigned char)name[3])
        return 1;
    return 0;
}
