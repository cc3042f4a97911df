//! What is for callers and modules to keep right: lengths, assertions, arguments, what structs hold.

use crate::c;
use crate::c::faults_as_text::{classified, nulls_apart, one};

#[test]
fn a_number_that_nothing_can_be_held_to_is_for_the_caller() {
    let end_by_offset = "#include <stddef.h>
char f(const char *text, size_t from) {
    if (from < 3) return 0;
    return text[from];
}";
    assert_eq!(nulls_apart(end_by_offset), one(4, "(needs enough behind text for all that it uses)"));
    let by_reference = "#include <stddef.h>
int f(char *buf, size_t *_bufsz) {
    size_t bufsz = *_bufsz;
    if (bufsz < 3) return -1;
    *_bufsz = 0;
    return buf[bufsz - 1] == ';';
}";
    let classified = nulls_apart(by_reference);
    assert!(
        !classified.is_empty()
            && classified.iter().all(|(_, class)| class.starts_with("(needs enough behind buf")),
        "{classified:?}"
    );
    let before_the_start = "#include <stddef.h>
int f(short *samples, int count, int delay) {
    if (samples == NULL || count < 6 || count > 12 || delay < 1 || delay > 5) return -1;
    for (int i = 4; i < count; i++)
        samples[i] = (short)(samples[i] / 2 + samples[i - delay] / 2);
    return 0;
}";
    assert_eq!(nulls_apart(before_the_start), one(5, "bug"), "what is before the start is nobody's");
}

#[test]
fn a_length_of_an_earlier_time_is_for_the_caller_and_one_that_is_held_to_the_buffer_is_a_bug() {
    let earlier = "#include <stddef.h>
int f(const char *buf, size_t len, size_t last_len) {
    const char *end = buf + len;
    buf = last_len < 3 ? buf : buf + last_len - 3;
    while (buf != end)
        if (*buf++ == ';') return 1;
    return 0;
}";
    let classified = nulls_apart(earlier);
    let needs = |line: u32| (line, "(needs at least last_len elements behind buf)".to_string());
    assert_eq!(classified, [needs(6), needs(4)]);
    let held = "#include <stddef.h>
int f(const char *buf, size_t len, size_t last_len) {
    size_t i;
    int sum = 0;
    if (last_len > len + 1) return -1;
    for (i = 0; i < len; i++) sum += buf[i] == ';';
    return last_len > 3 ? sum + (buf[last_len - 1] == 'x') : sum;
}";
    assert_eq!(nulls_apart(held), one(7, "bug"), "it is held to the length, but not enough");
    let other = "#include <stddef.h>
#include <string.h>
int f(char *to, size_t room, const char *from, size_t count) {
    if (to == NULL || from == NULL || room < 4 || count < 2) return -1;
    memset(to, 0, room);
    memcpy(to, from, count);
    return to[0];
}";
    assert_eq!(
        nulls_apart(other),
        one(6, "bug"),
        "the count is right for what it counts, and the room is known"
    );
}

#[test]
fn a_constant_table_with_functions_is_the_modules_own_and_one_without_is_data() {
    let table = |member: &str| {
        format!(
            "struct encoding {{ {member}; unsigned char least; unsigned char kind[4]; }};
static const int bits[4] = {{1, 2, 3, 4}};
int f(const struct encoding *e) {{
    return bits[e->least] + e->kind[0];
}}"
        )
    };
    let with_functions = nulls_apart(&table("int (*scan)(const char *)"));
    assert_eq!(with_functions, one(4, "needs e->least <= 3"));
    assert_eq!(nulls_apart(&table("int version")), one(4, "unchecked"));
}

#[test]
fn numbers_beside_pointers_are_the_modules_own_even_where_they_are_only_read() {
    let text = "struct number { int size; const unsigned *limbs; };
static const char names[3] = {'a', 'b', 'c'};
int f(const struct number *n) {
    return names[n->size] == 'b';
}";
    assert_eq!(nulls_apart(text), one(4, "needs n->size >= 0 && n->size <= 2"));
}

#[test]
fn a_list_goes_on_where_a_member_of_its_element_is_null() {
    let text = "#include <string.h>
struct entry { struct entry *next; const char *name; };
int f(const struct entry *at, const char *name) {
    for (; at != NULL; at = at->next)
        if (strcmp(at->name, name) == 0) return 1;
    return 0;
}";
    assert!(classified(text).iter().all(|(_, class)| class != "bug"), "{:?}", classified(text));
}

#[test]
fn a_null_pointer_in_a_union_has_the_name_of_the_pointer() {
    let text = "struct value { int kind; union { double number; const int *items; } as; };
int f(const struct value *v) {
    if (v == 0 || v->kind != 3) return 0;
    return v->as.items[0] == 2;
}";
    let mut classified = classified(text);
    classified.retain(|(_, class)| class != "limit");
    assert_eq!(classified, one(4, "needs v->as.items != 0"));
}

#[test]
fn where_a_pointer_happens_to_lead_is_no_precondition() {
    let text = "struct arena { unsigned char *position, *end; };
unsigned char *f(struct arena *arena, unsigned long size) {
    unsigned char *piece = arena->position;
    if (size == 0 || size > (unsigned long)(arena->end - arena->position)) return 0;
    arena->position += size;
    return piece;
}";
    let classified = classified(text);
    assert!(classified.iter().all(|(_, class)| !class.contains("size <=")), "{classified:?}");
}

#[test]
fn a_length_that_counts_less_than_nothing_is_no_bug_and_another_number_is() {
    let length = "void f(long *to, const long *from, long n) {
    while (--n >= 0) to[n] = from[n];
}";
    let classified = nulls_apart(length);
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
    let other = "int f(const int *a, int n, int step) {
    int i, sum = 0;
    if (n < 0 || step > 7) return step + 2000000000;
    for (i = 0; i < n; i++) sum += a[i] == 3;
    return sum;
}";
    let classified = nulls_apart(other);
    assert!(classified.contains(&(3, "bug".to_string())), "{classified:?}");
}

#[test]
fn a_number_of_a_type_for_sizes_is_a_size() {
    let text = |ty: &str| {
        format!(
            "typedef long {ty};
long f({ty} xs) {{
    long n = xs < 0 ? -xs : xs;
    return n == 7;
}}"
        )
    };
    let told_of = |ty: &str| nulls_apart(&text(ty)).into_iter().map(|(_, class)| class).collect::<Vec<_>>();
    assert_eq!(told_of("mp_size_t"), ["(needs xs to be a length that objects have)"]);
    assert_eq!(told_of("celsius_t"), ["bug"]);
}

#[test]
fn an_endless_loop_depends_on_what_it_has_forgotten() {
    let text = "struct number { int size; const unsigned long *limbs; };
int f(const struct number *n) {
    unsigned long top;
    int zeros = 0;
    if (n == 0 || n->size != 1) return 0;
    for (top = n->limbs[0]; (top >> 56) == 0; top <<= 8) zeros = (zeros + 8) & 1023;
    return zeros;
}";
    assert!(nulls_apart(text).iter().all(|(_, class)| class != "bug"), "{:?}", nulls_apart(text));
}

#[test]
fn what_a_wrong_number_leads_to_is_told_once() {
    let text = "#include <assert.h>
int f(int base) {
    if (base >= 0) return 1;
    base = -base;
    if (base > 36) return 2;
    assert(base > 0);
    return base == 7;
}";
    let classified = classified(text);
    let bugs: Vec<u32> =
        classified.iter().filter(|(_, class)| class == "bug").map(|(line, _)| *line).collect();
    assert_eq!(bugs, [4], "{classified:?}");
}

#[test]
fn the_units_own_array_must_be_kept_from_a_negative_length() {
    let text = "#include <string.h>
int f(const char *from, int n) {
    char to[16];
    if (n > 16) return -1;
    memcpy(to, from, n);
    return n > 0 ? to[0] == 'x' : 0;
}";
    assert_eq!(nulls_apart(text), one(5, "bug"));
}

#[test]
fn what_a_member_leads_to_is_the_modules_own() {
    let text = "struct number { int size; const unsigned *limbs; };
static const char names[3] = {'a', 'b', 'c'};
int f(const struct number *n) {
    if (n == 0 || n->limbs == 0) return 0;
    return names[n->limbs[0]] == 'b';
}";
    assert_eq!(classified(text), one(5, "needs n->limbs[0] <= 2"));
}

#[test]
fn a_function_that_ends_the_program_does_so_on_purpose() {
    let text = "#include <stdlib.h>
#include <stdio.h>
void die(const char *text) {
    fputs(text, stderr);
    abort();
}";
    assert!(classified(text).iter().all(|(_, class)| class != "bug"), "{:?}", classified(text));
}

#[test]
fn no_program_is_started_with_a_null_argument() {
    let text = "#include <unistd.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int c, loud = 0;
    if (argc != 3) return 1;
    while ((c = getopt(argc, argv, \"v\")) != -1)
        loud |= c == 'v';
    return loud;
}";
    let classified = nulls_apart(text);
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
    let other = "#include <unistd.h>
int main(int argc, char **argv) {
    static const int steps[3] = {1, 2, 3};
    int n = argc - 1;
    if (n < 0 || n > 3) return 1;
    return steps[n] + (getopt(argc, argv, \"v\") == 'v');
}";
    assert!(nulls_apart(other).contains(&(6, "bug".to_string())), "{:?}", nulls_apart(other));
}

#[test]
fn a_value_that_was_singled_out_or_refused_is_the_units_to_handle() {
    let singled_out = "int f(unsigned b) {
    switch (b) {
    case 3: return 7 / (b - 3u);
    }
    return 0;
}";
    assert_eq!(classified(singled_out), one(3, "bug"));
    let equal = "int f(unsigned b) {\n if (b != 3) return 0;\n return 7 / (b - 3u);\n}";
    assert_eq!(classified(equal), one(3, "bug"));
    let refused_late = "int f(int base) {
    int digits = base - 1;
    if (base <= 1) return 0;
    return digits;
}";
    assert_eq!(classified(refused_late), one(2, "bug"));
    let turned = "int f(int n) {\n if (n < 0) n = -n;\n return n;\n}";
    assert_eq!(classified(turned), one(2, "bug"));
}

#[test]
fn what_nothing_in_the_file_changes_is_no_input() {
    let text = "static const char *words[] = {\"no\", \"yes\"};
static int depth = 2;
int f(unsigned n) {
    if (n > 1) return 0;
    return words[n][0] == 'y' ? 8 / depth : 1;
}";
    assert_eq!(classified(text), []);
    let changed = text.replace("int f", "void set(int to) { depth = to; }\nint f");
    assert_eq!(classified(&changed), one(6, "needs depth != 0"));
}

#[test]
fn an_abort_says_what_is_not_taken_also_of_a_value_that_was_looked_at() {
    let text = "#include <stdlib.h>
int f(unsigned divisor) {
    if (divisor > 100) return 0;
    if (divisor == 0) abort();
    return 100 / divisor > 7;
}";
    assert_eq!(classified(text), one(4, "(was seen to fail with divisor == 0)"));
}

#[test]
fn who_uses_an_object_is_the_modules_to_count() {
    let text = "#include <stdlib.h>
struct number { int refs, *digits; };
struct number *kept;
int f(void) {
    struct number *own = calloc(1, sizeof *own);
    if (!own || !kept) { free(own); return 0; }
    own->refs = kept->refs;
    if (--own->refs == 0) free(own);
    return own->refs > 3;
}";
    let classified = classified(text);
    let life: Vec<_> = classified.iter().filter(|(line, _)| *line == 9).collect();
    assert!(!life.is_empty() && life.iter().all(|(_, class)| class != "bug"), "{classified:?}");
    let flagged = text.replace("refs", "prefix");
    let classified = c::faults_as_text::classified(&flagged);
    assert!(classified.contains(&(9, "bug".to_string())), "{classified:?}");
}

#[test]
fn an_endless_loop_over_pointers_is_for_the_caller_to_keep_away() {
    let text = "int f(char **start, char **at, char **end) {
    int rounds = 0;
    while (*end - *at < 4) {
        *at = *start;
        rounds ^= 1;
    }
    return rounds;
}";
    let classified = classified(text);
    assert!(classified.iter().any(|(line, _)| *line == 3), "{classified:?}");
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
}

#[test]
fn a_place_in_an_argument_is_for_whoever_gives_it_to_keep_right() {
    let text = "char *find(const char *s, int c);
int f(int n) {
    char b[4] = \"ab=\";
    char *p = find(b, n);
    if (!p) return 0;
    if (p == b) return 1;
    return p[1] == 'x';
}";
    assert_eq!(classified(text), [(7, "(relies on what find() answers)".to_string())]);
    // What copies gives a string of its own, which has room.
    assert_eq!(classified(&text.replace("find", "find_dup")), []);
}

#[test]
fn a_pointer_meant_for_another_member_of_a_union_is_no_fault_of_anybody() {
    let text = "struct pair { int kind; long left, right; };
struct node { int kind; union { const char *name; const struct pair *pair; int (*call)(int); } as; };
int f(const struct node *n) {
    if (!n) return 0;
    if (n->kind == 1 && n->as.name) return n->as.name[0] == '_';
    if (n->kind == 2 && n->as.pair) return n->as.pair->right == 7;
    if (n->kind == 3 && n->as.call) return n->as.call(4);
    return -1;
}";
    let found = classified(text);
    assert!(found.iter().all(|(_, class)| class == "limit"), "{found:?}");
    // What only null shows is another matter.
    let unchecked = classified(&text.replace("n->kind == 2 && n->as.pair", "n->kind == 2"));
    assert!(unchecked.contains(&(6, "needs n->as.name != 0".to_string())), "{unchecked:?}");
}

#[test]
fn whether_an_allocator_of_the_caller_may_fail_the_caller_knows() {
    let text = "#include <stddef.h>
struct hooks { void *(*allocate)(size_t size); };
int f(const struct hooks *h, int n) {
    if (!h || !h->allocate || n < 0 || n > 8) return -1;
    char *p = h->allocate(100);
    p[n] = 7;
    return n == 4;
}";
    assert_eq!(classified(text), [(6, "contract".to_string())]);
    let checked = text.replace("p[n] = 7", "if (!p) return -2; p[n] = 7");
    assert_eq!(classified(&checked), []);
}

#[test]
fn an_assertion_that_rests_on_the_modules_own_numbers_is_for_the_module() {
    let text = "#include <assert.h>
struct big { int size; unsigned *limbs; };
static int is_less(const unsigned *limbs, int size, unsigned n) {
    unsigned carry = n;
    for (int i = 0; i < size; i++) { unsigned limb = limbs[i]; carry = carry > limb; }
    return (int)carry;
}
int f(const struct big *b, unsigned n) {
    if (!b || !b->limbs || b->size < 2 || b->size > 3 || n == 0) return 0;
    int less = is_less(b->limbs, b->size, n);
    assert(!less);
    return 1;
}";
    let found = nulls_apart(text);
    assert!(found.iter().any(|(line, _)| *line == 11), "{found:?}");
    assert!(found.iter().all(|(_, class)| class != "bug"), "{found:?}");
}

#[test]
fn whether_a_function_that_nobody_defines_ends_a_loop_is_for_those_who_define_it() {
    let behind_a_pointer = "struct codec { void (*convert)(const char **from, const char *end); };
int f(const struct codec *codec, const char *s, int len) {
    const char *end = s + len;
    if (codec->convert == 0 || s == 0 || len < 1) return 0;
    do {
        codec->convert(&s, end);
    } while (s != end);
    return 1;
}";
    let relies = "(relies on what a function that the loop calls does)";
    let on = |line: u32, text: &str| {
        nulls_apart(text).into_iter().filter(move |(at, _)| *at == line).collect::<Vec<_>>()
    };
    assert_eq!(on(5, behind_a_pointer), one(5, relies));
    let undefined = "void convert(const char **from, const char *end);
int f(const char *s, int len) {
    const char *end = s + len;
    if (s == 0 || len < 1) return 0;
    while (s != end)
        convert(&s, end);
    return 1;
}";
    assert_eq!(on(5, undefined), one(5, relies));
    let of_its_own = "void tell(const char *text);
int f(int n) {
    if (n < 1 || n > 9) return 0;
    while (n != 5)
        tell(\"not yet\");
    return 1;
}";
    assert_eq!(on(4, of_its_own), one(4, "bug"), "nothing that it calls could end it");
}

#[test]
fn where_our_inputs_lie_is_said_to_nobody() {
    let text = "int f(const char *text, long at, long end) {
    if (text == 0 || at == end) return -1;
    return text[at];
}";
    let found = classified(text);
    assert!(!found.is_empty() && found.iter().all(|(_, class)| !class.contains("-687194")), "{found:?}");
}
