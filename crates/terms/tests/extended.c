/* Computes with the x87 unit of this machine: reads operand triples, writes the results of every operation, for
   extended.rs to compare with. All numbers are in hexadecimal. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 bits;

static long double from_bits(bits pattern) {
    long double value = 0;
    memcpy(&value, &pattern, 10);
    return value;
}

static void put(bits value) {
    printf(" %016llx%016llx", (unsigned long long)(value >> 64), (unsigned long long)value);
}

static void put_float(long double value) {
    bits pattern = 0;
    memcpy(&pattern, &value, 10);
    put(pattern);
}

static bits get(void) {
    unsigned long long high, low;
    if (scanf("%16llx%16llx", &high, &low) != 2) return ~(bits)0;
    return (bits)high << 64 | low;
}

int main(void) {
    for (;;) {
        bits pattern = get();
        if (pattern == ~(bits)0) return 0;
        volatile long double a = from_bits(pattern), b = from_bits(get()), c = from_bits(get());
        put_float(a + b);
        put_float(a - b);
        put_float(a * b);
        put_float(a / b);
        put_float(fmodl(a, b));
        put_float(fmal(a, b, c));
        put_float(sqrtl(a));
        put_float(floorl(a));
        put_float(ceill(a));
        put_float(truncl(a));
        put_float(rintl(a));
        put_float(roundl(a));
        put(a < b);
        put(a == b);
        put(a > b);

        volatile float single = (float)a;
        volatile double twice = (double)a;
        uint32_t single_bits;
        uint64_t double_bits;
        memcpy(&single_bits, (void *)&single, 4);
        memcpy(&double_bits, (void *)&twice, 8);
        put(single_bits);
        put(double_bits);

        single_bits = (uint32_t)pattern;
        double_bits = (uint64_t)pattern;
        memcpy((void *)&single, &single_bits, 4);
        memcpy((void *)&twice, &double_bits, 8);
        put_float(single);
        put_float(twice);

        put((uint8_t)(int8_t)a);
        put((uint16_t)(int16_t)a);
        put((uint32_t)(int32_t)a);
        put((uint64_t)(int64_t)a);
        put((uint8_t)a);
        put((uint16_t)a);
        put((uint32_t)a);
        put((uint64_t)a);

        bits integer = pattern | pattern << 80;
        put_float((int32_t)integer);
        put_float((int64_t)integer);
        put_float((uint64_t)integer);
        put_float((__int128)integer);
        put_float(integer);
        putchar('\n');
    }
}
