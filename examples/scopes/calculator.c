/* A calculator by recursive descent: "2*(3+4)". It counts in unsigned, and what it cannot read ends the number. */

static unsigned expression(const char **at);

static unsigned number(const char **at)
{
    unsigned value = 0;
    while (**at >= '0' && **at <= '9') {
        value = 10 * value + (unsigned)(**at - '0');
        ++*at;
    }
    return value;
}

static unsigned factor(const char **at)
{
    if (**at != '(')
        return number(at);
    ++*at;
    unsigned value = expression(at);
    if (**at == ')')
        ++*at;
    return value;
}

static unsigned term(const char **at)
{
    unsigned value = factor(at);
    while (**at == '*' || **at == '/') {
        char operator = *(*at)++;
        unsigned right = factor(at);
        if (operator == '*')
            value *= right;
        else
            value = right == 0 ? 0 : value / right;
    }
    return value;
}

static unsigned expression(const char **at)
{
    unsigned value = term(at);
    while (**at == '+' || **at == '-') {
        char operator = *(*at)++;
        unsigned right = term(at);
        value = operator == '+' ? value + right : value - right;
    }
    return value;
}

unsigned calculate(const char *text)
{
    return expression(&text);
}
