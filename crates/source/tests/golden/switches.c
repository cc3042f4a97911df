// Arms with their values as the promoted operand sees them, the default last.
enum colour { RED, GREEN = 5, BLUE };
#define FIRST 10
#define RANGE 20 ... 30

int plain(int x) {
    switch (x) {
    case 1:
        return 1;
    default:
        x = 0;
    case -3:
    case FIRST:
        return 2;
    case 3 ... 5:
        return 4;
    case RANGE:
        return 5;
    }
    return x;
}

int types(char c, unsigned u, enum colour e, unsigned long long w, _Bool b) {
    switch (c) {
    case 'a':
    case '\377':
        break;
    }
    switch (u) {
    case -1:
        break;
    }
    switch (e) {
    case RED:
    case BLUE:
        break;
    }
    switch (w) {
    case 0xffffffffffffffffULL:
        break;
    }
    switch (b)
    case 1:
        return 1;
    return 0;
}

int nested(int x, int y) {
    switch (x ? x : y) {
    case 1:
        switch (y) {
        case 2:
            return 2;
        default:;
        }
        break;
    case 3:
        do {
        case 4:
            x--;
        } while (x > 0);
    }
    return 0;
}
