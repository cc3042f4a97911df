//! The self-check on small functions: every label has the value the program computed.

mod c;

use std::time::Duration;

use c::Unit;
use tarka_campaign::{SelfCheckRequest, self_check};

fn check(text: &str) {
    let unit = Unit::new(text);
    for function in unit.functions() {
        let work = tempfile::tempdir().unwrap();
        let found = self_check(&SelfCheckRequest {
            model: &unit.model,
            function,
            runs: 30,
            seed: 1,
            globals_as_inputs: true,
            time_limit: Duration::from_secs(2),
            clang: &unit.clang,
            work_dir: work.path(),
        })
        .unwrap_or_else(|error| panic!("{error}"));
        let name = &unit.model.function(function).name;
        assert_eq!(found.mismatches, [], "{name}");
        assert!(found.compared > 50, "{name} compared {} values only: {found:?}", found.compared);
    }
}

#[test]
fn integers_of_every_width() {
    check(
        "long mix(signed char a, unsigned short b, int c, unsigned long d, _Bool e, __int128 f) {
            long r = a * b + (c ^ 0x55) - (long)(d >> 3);
            r += (unsigned)c / 7u + c % 13 + (short)(a << 4) + (e ? b : -a);
            r ^= (long)(f >> 60) + (long)(unsigned __int128)(f * 3);
            r += (a < b) + (c <= -a) + ((unsigned)c > 5) + (d == b) + __builtin_popcountl(d) + (c & 63 ? r >> (c & 63) : 0);
            r = d & 1 ? r : ~r;
            return r;
        }",
    );
}

#[test]
fn floating_point() {
    check(
        "#include <math.h>
         double mix(float a, double b, int c, unsigned char u) {
            double r = a * 2.5 + b / (c + 0.5) - u;
            r += (float)b + fabs(b) + sqrt((double)u) + floor(r / 3) + (double)(long)(a / 1e30f);
            if (r > b) r = -r;
            return r < 0 ? r + c : r;
        }",
    );
}

#[test]
fn memory_tables_and_structs() {
    check(
        "#include <string.h>
         static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
         struct pair { short a; int b[3]; char c; unsigned bits : 5, more : 9; };
         int mix(struct pair p, const struct pair *q, unsigned char i, char text[8]) {
            struct pair copy = p;
            int local[16] = {0};
            local[i & 15] = p.b[1];
            copy.b[i % 3] += squares[i & 15] + local[(i + 1) & 15];
            if (q) { memcpy(&copy, q, sizeof copy.a); copy.more = q->bits + p.more; }
            if (text) { text[i & 7] = 'x'; copy.c += (char)strnlen(text, 8); }
            return copy.a + copy.b[0] + copy.b[1] + copy.b[2] + copy.c + copy.more + squares[copy.c & 15];
        }",
    );
}

#[test]
fn calls_switches_and_globals() {
    check(
        "static int total = 5; static unsigned history[4];
         static int weigh(int kind, int by) {
            switch (kind & 7) { case 0: return by; case 1: return -by; case 3 ... 5: return by * 2; default: return by >> 1; }
         }
         int mix(int a, int b) {
            for (int i = 0; i < 4; i++) { total += weigh(a + i, b); history[i] = history[(i + 1) & 3] ^ (unsigned)total; }
            return total > 0 ? (int)history[0] : total;
         }",
    );
}
