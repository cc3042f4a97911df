/* Expected: is_big 0/0; classify 2/2; value_of 4/4; zeroed 3/4; flag 4/4; kind 6/6; falls 6/6; inferring 2/2; nothing 0/0;
   wide - "_BitInt(24)".
   Judges: clang-19
   tarka-flags: -std=c2x */
constexpr int limit = 0b1010;

[[nodiscard]] static bool is_big(int x) { return x > limit; }

int classify(int x, int)
{
    if (is_big(x))
        return 1;
    return 0;
}

int value_of(const int *p)
{
    if (p == nullptr)
        return -1;
    typeof(*p) v = *p;
    if (v == 1'000)
        return 1;
    return 0;
}

struct state {
    int a;
    char b[3];
    bool on;
};

int zeroed(int n)
{
    struct state s = {};
    s.a = n;
    if (s.a == 9)
        return s.on ? 2 : 1;
    return 0;
}

int flag(bool b, struct state s)
{
    if (b)
        return s.on ? true : 2;
    return false;
}

enum kind : unsigned char { A = 1, B = 200 };

int kind(enum kind k)
{
    switch (k) {
    case A: return 1;
    case B: return 2;
    }
    return 0;
}

[[maybe_unused]] int falls([[maybe_unused]] int x)
{
    switch (x) {
    case 1: x++; [[fallthrough]];
    case 2: return x;
    default: return 0;
    }
}

static_assert(sizeof(int) == 4);
auto inferred = 5;

int inferring(int x)
{
    auto y = x;
    if (y == 8)
        return inferred;
    return 0;
}

int nothing() { return inferred; }

_BitInt(24) wide(_BitInt(24) x)
{
    if (x == 77)
        return 1;
    return 0;
}
