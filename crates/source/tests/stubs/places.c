/* Results that lead into an argument, and results that do not. */
char *digits(unsigned long number, char *buffer);
char *digits_also_elsewhere(unsigned long number, char *buffer);
char *digits_of_much(unsigned long number, char *buffer);
const char *skip(const char *text);
char *skip_writable(char *text);
char *quote(const char *text);
char *find(const char *text, int wanted);
char *find_dup(const char *text, int wanted);
const char *name_of(const char *text);

long unit(const char *text, char *writable, char *other) {
    char small[8], small_too[12], second[8], large[99];
    char *found, *copy;
    const char *name;
    digits(1, small_too);
    digits(1, small);
    digits_also_elsewhere(1, second);
    digits_also_elsewhere(1, other);
    digits_of_much(1, large);
    text = skip(text);
    writable = skip_writable(writable);
    text = quote(text);
    found = find(text, 'x');
    copy = find_dup(text, 'x');
    name = name_of(text);
    return (found - text) + (copy - text) + (name != 0);
}
