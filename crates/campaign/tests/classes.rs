//! What class of fault it is, and what the unit needs of its callers.

use crate::c::faults_as_text::{classes, classified, one};
use crate::c::{test, test_with};
use tarka_campaign::Options;

#[test]
fn a_pointer_that_is_never_looked_at_is_for_the_caller_to_get_right() {
    assert_eq!(classified("int f(int *p) {\n return *p > 3;\n}"), one(2, "needs p != 0"));
    let with_null = "#include <stddef.h>\nint g; void f(int *p) {\n if (p == NULL) g = 1;\n *p = 3;\n}";
    assert_eq!(classified(with_null), one(4, "bug"), "it knows that p may be null");
}

#[test]
fn the_precondition_names_members_as_c_does() {
    let text = "#include <stddef.h>
struct buffer { int size; char *data; };
struct port { int open; struct buffer in[2]; };
int f(struct port *p) {
    if (p == NULL || !p->open) return -1;
    return p->in[1].data[0] == 'x';
}";
    assert_eq!(classified(text), one(6, "needs p->in[1].data != NULL"));
}

#[test]
fn the_end_of_a_list_is_nobodys_mistake_but_the_units() {
    let text = "#include <stddef.h>
struct node { int v; struct node *next; };
int second(struct node *n) {
    if (n == NULL) return 0;
    return n->next->v;
}";
    assert_eq!(classified(text), one(5, "bug"));
}

#[test]
fn a_divisor_nobody_looked_at_must_not_be_zero_and_one_that_was_checked_wrongly_is_a_bug() {
    assert_eq!(
        classified("int f(int a, int b) {\n return a % 7 + 1000 / (unsigned)b;\n}"),
        one(2, "needs b != 0")
    );
    assert_eq!(
        classified("int f(int b) {\n if (b > 100) return 0;\n return 1000 / (unsigned)b;\n}"),
        one(3, "bug")
    );
}

#[test]
fn the_bug_comes_before_the_contract() {
    let text = "int f(int *p, unsigned n) {
    int v = *p;
    if (n > 50) return v;
    return 100 / n;
}";
    let expected = [(4, "bug".to_string()), (2, "needs p != 0".to_string())];
    assert_eq!(classified(text), expected);
}

#[test]
fn the_way_to_a_fault_is_told_decision_by_decision() {
    let result = test(
        "int f(int a, unsigned b) {
    if (a == 77)
        switch (b % 4) {
        case 2: return 1;
        case 3: return 7 / (b - 3u);
        }
    return 0;
}",
    );
    let steps: Vec<String> = result.faults[0]
        .history
        .iter()
        .map(|step| format!("line {}: {} is {}", step.place.line, step.text, step.outcome))
        .collect();
    assert_eq!(steps, ["line 2: a == 77 is true", "line 3: b % 4 is case 3"]);
}

#[test]
fn with_the_precondition_that_was_offered_the_fault_is_gone() {
    for text in [
        "int f(int *p) {\n return *p > 3;\n}",
        "static const int table[10] = {1, 2, 3};\nint f(int i) {\n return table[i];\n}",
        "int f(int a, int b) {\n return a % 7 + 1000 / (unsigned)(b - 3);\n}",
        "int f(int a, short b) {\n return a * b;\n}",
    ] {
        let first = test(text);
        assert!(!first.faults.is_empty(), "{text}");
        let mut options = Options::default();
        for fault in &first.faults {
            let need = fault.need.as_ref().expect("a contract");
            let expression = need.expression.as_ref().expect("a precondition in C");
            options.settings.add_flag(&format!("f: {expression}")).expect("a precondition");
        }
        let second = test_with(text, &options);
        assert!(second.faults.is_empty(), "{text}: {:?}", second.faults);
    }
}

#[test]
fn a_call_through_a_pointer_that_nobody_looked_at_needs_a_function() {
    let text = "struct hooks { int (*get)(int); };
int f(struct hooks *hooks) {
    if (!hooks) return 0;
    return hooks->get(3);
}";
    assert_eq!(classified(text), one(4, "needs hooks->get != 0"));
}

#[test]
fn a_length_that_no_object_can_have_is_nobodys_fault() {
    let text = "#include <stddef.h>
struct buffer { const unsigned char *bytes; size_t length; size_t used; };
int f(const struct buffer *buffer) {
    if (!buffer || !buffer->bytes || buffer->used >= buffer->length) return 0;
    return buffer->bytes[buffer->used] == 0xfe;
}";
    assert_eq!(classified(text), []);
}

#[test]
fn bytes_of_a_buffer_may_be_anything() {
    let text = "#include <string.h>
int f(const unsigned char *packet, unsigned long length) {
    char copy[16];
    if (!packet || length < 2) return -1;
    memset(copy, 0, sizeof copy);
    memcpy(copy, packet + 1, packet[0]);
    return copy[3];
}";
    assert_eq!(classified(text), one(6, "unchecked"));
    let of_const = "struct header { short kind; unsigned short count; };
int f(const struct header *header) {
    static const int sizes[8] = {1, 2, 3};
    if (!header) return -1;
    return sizes[header->count];
}";
    assert_eq!(classified(of_const), one(5, "unchecked"));
}

#[test]
fn what_a_module_keeps_for_itself_is_its_own_to_keep_right() {
    let checked = "struct ring { int head; int slots[8]; int tail; };
int f(struct ring *ring) {
    if (!ring || ring->head > 20) return -1;
    return ring->slots[ring->head];
}";
    assert_eq!(classified(checked), one(4, "needs ring->head >= 0 && ring->head <= 7"));
    let guard = "struct stack { unsigned size; int items[8]; int limit; };
int f(struct stack *stack, unsigned i) {
    if (!stack || i >= stack->size) return -1;
    return stack->items[i];
}";
    let words = classified(guard);
    assert!(matches!(&words[..], [(4, need)] if need.starts_with("needs i ")), "{words:?}");
}

#[test]
fn a_pointer_that_had_to_be_there_makes_no_bug_of_an_index() {
    let text = "static const int table[10] = {1, 2, 3};
int f(const int *scale, int i) {
    if (!scale) return 0;
    return *scale * 0 + table[i];
}";
    assert!(classified(text).contains(&(4, "needs i >= 0 && i <= 9".to_string())), "{:?}", classified(text));
}

#[test]
fn a_pointer_that_is_looked_at_too_late_is_a_bug() {
    assert_eq!(classified("int f(int *p) {\n int v = *p;\n if (!p) return 0;\n return v;\n}"), one(2, "bug"));
}

#[test]
fn an_assertion_that_contradicts_the_check_before_it_is_a_bug_and_one_alone_a_contract() {
    let text = "#include <assert.h>
unsigned calls;
int f(unsigned n) {
    if (n > 10) return 0;
    calls++;
    assert(n < 10);
    return 1;
}";
    assert_eq!(classified(text), one(6, "bug"));
    let alone = text.replace("    if (n > 10) return 0;\n", "");
    assert_eq!(classified(&alone), one(5, "(was seen to fail with n == 10)"));
}

#[test]
fn null_that_a_library_function_found_in_a_text_depends_on_the_text() {
    let text = "#include <string.h>
int f(char *line) {
    if (!line) return -1;
    char *equals = strchr(line, '=');
    *equals = 0;
    return 0;
}";
    assert_eq!(classified(text), one(5, "unchecked"));
}

#[test]
fn a_value_that_is_no_enumerator_is_for_callers_to_keep_away() {
    let text = "enum mode { OFF, ON };
int f(enum mode mode) {
    int speed;
    switch (mode) {
    case OFF: speed = 0; break;
    case ON: speed = 7; break;
    }
    return speed * 2;
}";
    let words = classified(text);
    assert!(
        matches!(&words[..], [(8, need)] if need.starts_with("(was seen to fail with mode == ")),
        "{words:?}"
    );
}

#[test]
fn what_follows_spoilt_memory_is_no_fault_of_its_own() {
    let text = "struct ring { int slots[8]; int head; int used; };
void f(struct ring *ring, int x) {
    if (!ring) return;
    ring->slots[ring->head] = x;
    ring->head = (ring->head + 1) % 8;
}";
    assert_eq!(classified(text), one(4, "needs ring->head >= 0 && ring->head <= 7"));
}

#[test]
fn an_assertion_on_where_the_program_came_to_depends_on_what_led_there() {
    let text = "#include <assert.h>
struct pool { int left; };
int f(struct pool *pool, unsigned size) {
    int bucket = 0;
    if (!pool) return -1;
    while (size > 16 && bucket < 4) { size /= 2; bucket++; }
    if (pool->left == 0) return -1;
    assert(bucket != 2);
    return bucket;
}";
    assert_eq!(classified(text), one(8, "bug"));
}

#[test]
fn a_loop_that_may_just_be_long_is_no_bug() {
    let text = "unsigned long f(unsigned long n) {
    unsigned long rounds = 0;
    while (n) { n--; rounds++; }
    return rounds == 77;
}";
    assert!(classified(text).iter().all(|(_, class)| class == "limit"), "{:?}", classified(text));
}

#[test]
fn a_buffer_is_not_as_long_as_the_other_one() {
    let text = "#include <stddef.h>
size_t f(void *dest, size_t dest_size, const void *src, size_t src_size) {
    unsigned char *to = dest;
    const unsigned char *from = src;
    size_t written = 0;
    if (!src || !dest) return 0;
    while (src_size) {
        if (dest_size > written) *to++ = *from;
        written++;
        src_size--;
        from++;
    }
    return written;
}";
    assert!(classified(text).iter().all(|(_, class)| class == "limit"), "{:?}", classified(text));
}

#[test]
fn a_comparison_with_another_pointer_does_not_ask_for_null() {
    let text = "int f(const int *a, const int *b) {
    if (a == b) return 0;
    return *a > 3;
}";
    assert_eq!(classified(text), one(3, "needs a != 0"));
}

#[test]
fn how_much_there_is_behind_a_pointer_without_a_length_is_for_the_caller() {
    let text = "#include <stddef.h>
#include <stdint.h>
size_t f(void *dest, size_t room, const void *source, size_t count) {
    unsigned char *to = dest;
    const unsigned char *from = source;
    size_t written = 0;
    if (source == NULL) return 0;
    if (to == NULL) room = 0;
    if (room > 0)
        *to++ = '[';
    written++;
    while (count) {
        if (*from == '[') {
            if (room > written)
                *to++ = '[';
            if (written < SIZE_MAX) written++;
        }
        if (room > written)
            *to++ = *from;
        if (written < SIZE_MAX) written++;
        count--;
        from++;
    }
    return written;
}";
    let classified = classified(text);
    let at_the_end = (10, "(needs enough behind dest for all that it uses)".to_string());
    assert!(classified.contains(&at_the_end), "{classified:?}");
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
}

#[test]
fn what_is_the_same_for_every_input_is_no_look_at_it() {
    let text = "#include <string.h>
unsigned g; void f(const char *text) {
    const char *end = text + strlen(text);
    while (text != end)
        if ((*text & 0x80) == 0) { text++; g++; }
}";
    let classified = classified(text);
    assert!(classified.contains(&(4, "unchecked".to_string())), "{classified:?}");
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
}

#[test]
fn asking_for_one_value_is_no_check_of_how_large_a_number_is() {
    let with = |question: &str| {
        classified(&format!("int f(int base) {{\n if ({question}) return 1;\n return base - 1;\n}}"))
    };
    for question in ["base == 10", "!base"] {
        assert_eq!(with(question), one(3, "needs base >= -2147483647"), "{question}");
    }
    assert_eq!(with("base > 10"), one(3, "bug"));
}

#[test]
fn what_is_only_seen_after_another_fault_may_be_its_consequence() {
    let text = "#include <stdlib.h>
struct size { int a, b; };
int f(struct size *s, char **p) {
    int sum = s->a + s->b;
    char *own = malloc(4);
    if (own == 0) return 0;
    if (s->a > 0 && s->b > 0 && sum < 0) free(own);
    *p = own;
    *own = 1;
    return sum;
}";
    let classified = classified(text);
    let freed = classified.iter().find(|(line, _)| *line == 9);
    assert!(freed.is_none_or(|(_, class)| class != "bug"), "{classified:?}");
}

#[test]
fn a_pointer_that_is_made_of_the_bytes_of_another_object_is_nobodys() {
    let text = "struct base { int kind; };
struct derived { struct base b; int (*convert)(const char *); };
int f(const struct base *b, const char *text) {
    const struct derived *d = (const struct derived *)b;
    if (b->kind != 2) return 0;
    return d->convert(text);
}";
    let classified = classified(text);
    assert!(classified.iter().all(|(_, class)| class != "bug" && class != "unchecked"), "{classified:?}");
}

#[test]
fn a_jump_needs_a_place_to_go_to() {
    let text = "#include <setjmp.h>\nstatic jmp_buf way_out; void f(void) {\n longjmp(way_out, 1);\n}";
    let classified = classified(text);
    assert!(
        !classified.is_empty() && classified.iter().all(|(_, class)| class.contains("needs a setjmp()")),
        "{classified:?}"
    );
}

#[test]
fn an_allocation_that_was_made_decides_nothing() {
    let text = "#include <stdlib.h>
struct stack { int *start, *end, *top; };
int push(struct stack *s, int v) {
    char *note = malloc(4);
    if (note == NULL) return 0;
    free(note);
    if (s->top == s->end) {
        size_t size = (size_t)((char *)s->end - (char *)s->start);
        int *more = realloc(s->start, size * 2);
        if (more == NULL) return 0;
        s->top = more + (s->top - s->start);
        s->end = more + size / 2;
        s->start = more;
    }
    *s->top++ = v;
    return 1;
}";
    let library_inputs = vec![tarka_source::LibraryInput::Alloc];
    let classified = classes(&test_with(text, &Options { library_inputs, ..Options::default() }));
    assert!(classified.iter().any(|(line, _)| *line == 15), "{classified:?}");
    assert!(
        classified.iter().all(|(_, class)| class != "bug"),
        "an empty stack was never made: {classified:?}"
    );
}

#[test]
fn a_negative_length_says_nothing_about_the_object() {
    let text = "int f(const unsigned char *a, long n) {
    long i, sum = 0;
    int is_empty = n < 0 ? !a[0] : !n;
    for (i = 0; i < n; i++) sum += a[i] > 3;
    return is_empty || sum > 2;
}";
    let classified = classified(text);
    assert!(classified.iter().all(|(_, class)| class != "bug"), "{classified:?}");
}

#[test]
fn what_is_said_of_the_callers_objects_says_nothing_of_the_units_own() {
    let beside_a_pointer = "int f(int *p) {
    int t[4], i;
    for (i = 0; i <= 4; i++)
        t[i] = i;
    return p != 0 && *p > t[3];
}";
    assert_eq!(classified(beside_a_pointer), one(4, "bug"));
    let beside_a_negative_length = "int f(const int *a, int n, int i) {
    int t[4] = {0}, j, sum = 0;
    for (j = 0; j < n; j++) sum += a[j] > 3;
    if (n < -2 && i >= 0 && i <= 4)
        return t[i];
    return sum;
}";
    assert!(classified(beside_a_negative_length).contains(&(5, "bug".to_string())));
    let beside_a_long_length = "int f(const int *a, unsigned n, int i) {
    int t[4] = {0}, j, sum = 0;
    if (n > 1000000000 && i >= 0 && i <= 4)
        return t[i];
    for (j = 0; j < (int)n; j++) sum += a[j] > 3;
    return sum;
}";
    assert!(classified(beside_a_long_length).contains(&(4, "bug".to_string())));
}

#[test]
fn a_function_that_may_jump_has_other_faults_as_well() {
    let text = "#include <setjmp.h>
#include <stddef.h>
static jmp_buf way_out; int g; void f(int *p) {
    if (p == NULL) g = 1;
    if (*p == 3) longjmp(way_out, 1);
}";
    assert!(classified(text).contains(&(5, "bug".to_string())), "{:?}", classified(text));
}
