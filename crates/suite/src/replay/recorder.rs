//! The functions that the probes of a plain program call, in C, and reading what they leave.
//!
//! They write into a file that is mapped and shared, so that a crash or a closed descriptor loses nothing. It has a part for
//! the program itself and one for each process that it forks, as test files do for each test: a byte for each outcome of each
//! site, a byte for each statement, then the ways decisions were evaluated, each once. What such a process forks belongs to its
//! part. Never changes what the program computes.
//!
//! Evaluations in progress stand on a stack of their own, each with the frame of its function. An entry of a deeper frame
//! than the probe's was left by `longjmp` and is dropped; recursion has another frame.

use std::fmt::Write as _;

use tarka_source::goals::outcome_count;
use tarka_source::{DecisionId, EvaluationKey, Evidence, FirstIds, SiteKind, SourceModel};

/// What the probed program must be compiled with: every activation of a function has a frame of its own, and a frame
/// pointer to know it by; and what probes add to nested parentheses is accepted.
pub const FLAGS: [&str; 4] =
    ["-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-fno-inline", "-fbracket-depth=2048"];

/// Most words of evaluations that are kept.
const MAX_WORDS: usize = 1 << 16;
/// Most evaluations in progress: deeper ones are not recorded.
const MAX_OPEN: usize = 1 << 16;
/// Conditions per word.
const CHUNK: usize = 32;

/// Where the counter of words stands; the words follow.
fn words_at(model: &SourceModel) -> usize {
    (outcome_count(model) + model.statement_count() as usize).next_multiple_of(4)
}

/// Where the word stands that says that a process has its part.
fn begun_at(model: &SourceModel) -> usize {
    words_at(model) + 4 + 4 * MAX_WORDS
}

/// Size of a part of the file.
pub fn part_size(model: &SourceModel) -> usize {
    begun_at(model) + 4
}

/// Whether a forked process had this part for its own.
pub fn is_begun(model: &SourceModel, part: &[u8]) -> bool {
    part.get(begun_at(model)).is_some_and(|byte| *byte != 0)
}

fn chunks(model: &SourceModel, decision: usize) -> Option<usize> {
    let decision = model.decisions.get(decision).filter(|decision| decision.is_compound())?;
    Some(decision.conditions.len().div_ceil(CHUNK))
}

/// What the bytes of a part say.
pub fn evidence(model: &SourceModel, map: &[u8]) -> Evidence {
    let mut evidence = Evidence::of_map(model, map);
    let words: Vec<u32> = map
        .get(words_at(model)..)
        .unwrap_or_default()
        .chunks_exact(4)
        .map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let Some((count, words)) = words.split_first() else { return evidence };
    let mut rest = &words[..words.len().min(*count as usize)];
    // A record that a crash cut short, or that the unit wrote over, ends the list.
    while let [decision, result, after @ ..] = rest {
        let Some(chunks) = chunks(model, *decision as usize).filter(|chunks| after.len() >= 2 * chunks)
        else {
            break;
        };
        let (pairs, after) = after.split_at(2 * chunks);
        let every_second = |first: usize| pairs.iter().skip(first).step_by(2).copied().collect::<Vec<u32>>();
        let (values, evaluated) = (every_second(0), every_second(1));
        evidence.evaluations.insert(EvaluationKey::new(
            DecisionId(*decision),
            &values,
            &evaluated,
            *result != 0,
        ));
        rest = after;
    }
    evidence
}

/// What the recorder says to the system, as numbers.
const READ_AND_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const MAP_SHARED: i32 = libc::MAP_SHARED;
const MAP_OWN: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// The recorder's text. It needs no preprocessor: the unit's flags may lead to other headers than this system's.
pub fn text(model: &SourceModel) -> String {
    let most_chunks = (0..model.decisions.len()).filter_map(|index| chunks(model, index)).max().unwrap_or(1);
    format!(
        r#"char *getenv(const char *);
int close(int);
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
void *mmap(void *, unsigned long, int, int, int, long);
enum {{ READ_AND_WRITE = {READ_AND_WRITE}, MAP_SHARED = {MAP_SHARED}, MAP_OWN = {MAP_OWN} }};
static void *const map_failed = (void *)-1;
enum {{ MAX_WORDS = {MAX_WORDS}, MAX_OPEN = {MAX_OPEN}, MOST_CHUNKS = {most_chunks} }};
{tables}
struct evaluation {{ void *frame; unsigned decision; unsigned pairs[2 * MOST_CHUNKS]; }};
static unsigned char *parts, *taken;
static unsigned *words;
static unsigned processes, forked;
static int has_part;
static __thread struct evaluation *open_ones;
static __thread unsigned depth;
static unsigned long long seen[1 << 16];
static void write_to(unsigned part)
{{
    taken = part <= processes ? parts + part * {size}ul : 0;
    words = taken ? (unsigned *)(taken + {words_at}) : 0;
}}
static void before_fork(void) {{ forked++; }}
static void in_forked(void)
{{
    if (has_part) return;
    has_part = 1;
    write_to(forked);
    if (taken) taken[{begun_at}] = 1;
}}
static int number(const char **text)
{{
    int number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) number = number * 10 + (**text - '0');
    if (**text) ++*text;
    return number;
}}
__attribute__((constructor)) static void start(void)
{{
    /* A descriptor, for who is confined may open nothing to write; and how many processes have a part. */
    const char *text = getenv("TARKA_OUTCOMES");
    if (!text) return;
    int fd = number(&text);
    processes = number(&text);
    void *map = mmap(0, (processes + 1) * {size}ul, READ_AND_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map == map_failed) return;
    parts = map;
    write_to(0);
    if (processes) pthread_atfork(before_fork, 0, in_forked);
}}
static unsigned arm_of(unsigned site, unsigned long long v)
{{
    switch (site) {{
{switches}    default:
        (void)v;
        return 0;
    }}
}}
/* The open evaluation of a decision in a frame. */
static struct evaluation *find(unsigned decision, void *frame)
{{
    while (depth && open_ones[depth - 1].frame < frame) depth--;
    for (unsigned i = depth; i-- > 0 && open_ones[i].frame == frame;)
        if (open_ones[i].decision == decision) {{
            depth = i + 1;
            return &open_ones[i];
        }}
    return 0;
}}
/* Writes a record: the decision, its result, values and evaluated bits of each chunk. */
static void keep(const struct evaluation *e, unsigned result)
{{
    unsigned chunks = chunks_of[e->decision], length = 2 + 2 * chunks;
    /* Mixed before the values come in, which would otherwise cancel out the decision and the result. */
    unsigned long long hash = (14695981039346656037ull ^ e->decision * 2ull ^ result) * 1099511628211ull;
    for (unsigned i = 0; i < 2 * chunks; i++) hash ^= hash >> 29, hash = (hash ^ e->pairs[i]) * 1099511628211ull;
    hash ^= hash >> 32;
    hash |= 1;
    unsigned slot = (unsigned)(hash >> 40) % (1 << 16), steps = 0;
    for (; seen[slot] && steps < 1 << 16; slot = (slot + 1) % (1 << 16), steps++)
        if (seen[slot] == hash) return;
    if (steps == 1 << 16 || *words + length > MAX_WORDS) return;
    seen[slot] = hash;
    unsigned *record = words + 1 + __atomic_fetch_add(words, length, __ATOMIC_RELAXED);
    if (record + length > words + 1 + MAX_WORDS) return;
    record[0] = e->decision;
    record[1] = result;
    for (unsigned i = 0; i < 2 * chunks; i++) record[2 + i] = e->pairs[i];
}}
__attribute__((noinline)) int __tk_begin(unsigned decision)
{{
    void *frame = __builtin_frame_address(1);
    if (!words) return 0;
    if (!open_ones) {{
        void *map = mmap(0, MAX_OPEN * sizeof *open_ones, READ_AND_WRITE, MAP_OWN, -1, 0);
        if (map == map_failed) return 0;
        open_ones = map;
    }}
    /* One that is still open in this very frame was left by a jump. */
    if (find(decision, frame)) depth--;
    if (depth < MAX_OPEN) {{
        struct evaluation *e = &open_ones[depth++];
        e->frame = frame;
        e->decision = decision;
        for (unsigned i = 0; i < 2 * chunks_of[decision]; i++) e->pairs[i] = 0;
    }}
    return 0;
}}
__attribute__((noinline)) int __tk_decision(unsigned decision, int v)
{{
    struct evaluation *e = words ? find(decision, __builtin_frame_address(1)) : 0;
    if (e) {{
        keep(e, v != 0);
        depth--;
    }}
    return v;
}}
__attribute__((noinline)) int __tk_cond(unsigned site, int v)
{{
    if (!taken) return v;
    taken[first[site] + (v != 0)] = 1;
    if (decision_of[site]) {{
        struct evaluation *e = find(decision_of[site] - 1, __builtin_frame_address(1));
        if (e) {{
            e->pairs[position_of[site] / 32 * 2] |= (unsigned)(v != 0) << position_of[site] % 32;
            e->pairs[position_of[site] / 32 * 2 + 1] |= 1u << position_of[site] % 32;
        }}
    }}
    return v;
}}
__attribute__((noinline)) unsigned long long __tk_switch(unsigned site, unsigned long long v)
{{
    if (taken) taken[first[site] + arm_of(site, v)] = 1;
    return v;
}}
__attribute__((noinline)) void __tk_stmt(unsigned statement) {{ if (taken) taken[{outcomes} + statement] = 1; }}
"#,
        tables = tables(model),
        switches = switches(model),
        size = part_size(model),
        begun_at = begun_at(model),
        words_at = words_at(model),
        outcomes = outcome_count(model),
    )
}

/// The functions that probes call.
const PROBES: [&str; 5] = ["__tk_cond", "__tk_switch", "__tk_begin", "__tk_decision", "__tk_stmt"];

/// What comes before the probed text of another file, whose numbers are its own: its probes go another way.
pub fn redirected(file: usize) -> String {
    PROBES.map(|probe| format!("#pragma redefine_extname {probe} {probe}_{file}\n")).concat()
}

/// The way from there to the recorder: the number moves to where the file's begin in the program, and nothing else is touched, since the
/// recorder looks at the frame of whoever has called.
pub fn way_for(file: usize, first: FirstIds) -> String {
    let FirstIds { sites, decisions, statements, .. } = first;
    let moved = [sites, sites, decisions, decisions, statements];
    let way = |(probe, first): (&str, u32)| {
        format!(
            "__asm__(\".text\\n.globl {probe}_{file}\\n{probe}_{file}: addl ${first}, %edi\\njmp {probe}@PLT\");\n"
        )
    };
    PROBES.into_iter().zip(moved).map(way).collect()
}

/// What the recorder must know of each site and decision.
fn tables(model: &SourceModel) -> String {
    let mut firsts = Vec::new();
    let mut next = 0;
    for site in &model.sites {
        firsts.push(next);
        next += site.outcomes();
    }
    let mut decision_of = vec![0; model.sites.len()];
    let mut position_of = vec![0; model.sites.len()];
    for decision in model.decisions.iter().filter(|decision| decision.is_compound()) {
        for (position, site) in decision.conditions.iter().enumerate() {
            decision_of[site.0 as usize] = decision.id.0 + 1;
            position_of[site.0 as usize] = position as u32;
        }
    }
    let chunks_of =
        (0..model.decisions.len()).map(|index| chunks(model, index).unwrap_or(0) as u32).collect::<Vec<_>>();
    let mut text = String::new();
    let tables = [
        ("first", firsts),
        ("decision_of", decision_of),
        ("position_of", position_of),
        ("chunks_of", chunks_of),
    ];
    for (name, mut numbers) in tables {
        if numbers.is_empty() {
            numbers.push(0);
        }
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "static const unsigned {name}[] = {{{}}};", numbers.join(","));
    }
    text
}

/// The arm that an operand chooses, for each switch.
fn switches(model: &SourceModel) -> String {
    let mut text = String::new();
    for site in &model.sites {
        let SiteKind::Switch { arms, signed, .. } = &site.kind else { continue };
        let _ = writeln!(text, "    case {}:", site.id.0);
        for (index, arm) in arms.iter().enumerate() {
            let Some((low, high)) = arm.values else { continue };
            let test = if *signed {
                let (low, high) = (signed_literal(low), signed_literal(high));
                format!("(long long)v >= {low} && (long long)v <= {high}")
            } else {
                format!("v >= {}ull && v <= {}ull", low as u64, high as u64)
            };
            let _ = writeln!(text, "        if ({test}) return {index};");
        }
        let _ = writeln!(text, "        return {};", arms.len() - 1);
    }
    text
}

fn signed_literal(value: i128) -> String {
    if value == i128::from(i64::MIN) {
        "(-9223372036854775807ll - 1)".to_string()
    } else {
        format!("{value}ll")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use tarka_source::{SourceRequest, analyse, find_clang};

    /// Compiles a program with the recorder, runs it, and gives what it recorded: executed statements, and the
    /// evaluations of each compound decision as `T`, `F` or `-` per condition, then the result.
    fn recorded(text: &str, flag: &str) -> (Vec<u8>, Vec<Vec<String>>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("unit.c"), text).expect("writable");
        let clang = find_clang().expect("clang");
        let model = analyse(&SourceRequest { file: &path("unit.c"), flags: &[], clang: &clang }).expect("C");
        std::fs::write(path("unit.i"), &model.probed_text).expect("writable");
        std::fs::write(path("recorder.i"), super::text(&model)).expect("writable");
        let mut compile = Command::new(clang);
        compile.current_dir(folder.path()).arg(flag).args(FLAGS).args(["-w", "unit.i", "recorder.i"]);
        let output = compile.args(["-o", "program"]).output().expect("clang runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::write(path("map"), vec![0; part_size(&model)]).expect("writable");
        let mut run = Command::new("/bin/sh");
        run.current_dir(folder.path()).args(["-c", "exec ./program 9<>map"]).env("TARKA_OUTCOMES", "9,0");
        run.status().expect("it runs");
        let evidence = evidence(&model, &std::fs::read(path("map")).expect("readable"));
        let vectors = model.decisions.iter().filter(|decision| decision.is_compound()).map(|decision| {
            let letter = |key: &EvaluationKey, position| match key.value(position) {
                None => '-',
                Some(false) => 'F',
                Some(true) => 'T',
            };
            let vector = |key: &EvaluationKey| {
                let letters = (0..decision.conditions.len() as u32).map(|position| letter(key, position));
                letters.collect::<String>() + if key.result { " T" } else { " F" }
            };
            let mut vectors: Vec<String> = evidence.evaluations_of(decision.id).map(vector).collect();
            vectors.sort();
            vectors
        });
        (evidence.statements.clone(), vectors.collect())
    }

    fn evaluations(text: &str) -> Vec<Vec<String>> {
        let plain = recorded(text, "-O0").1;
        assert_eq!(recorded(text, "-O2").1, plain, "optimisation changes nothing");
        plain
    }

    #[test]
    fn a_crash_loses_nothing() {
        let text = "int f(int a, int b) { int r = a && b; *(volatile int *)0 = r; return r || b; }
            int main(void) { return f(1, 0); }";
        let (statements, vectors) = recorded(text, "-O0");
        assert_eq!(statements, [1, 1, 0, 1]);
        assert_eq!(vectors, [vec!["TF F"], vec![]]);
    }

    #[test]
    fn recursion_and_loops_show_each_way_once() {
        let text = "int f(int a, int b) { return a > 0 && (f(a - 1, b) || b); }
            int main(void) { for (int i = 0; i < 9 && i >= 0; i++) f(i, i & 1); return 0; }";
        assert_eq!(evaluations(text), [vec!["F-- F", "TFF F", "TFT T", "TT- T"], vec!["F- F", "TT T"]]);
    }

    #[test]
    fn a_jump_out_of_recursion_into_an_open_evaluation_keeps_what_that_knows() {
        let text = "#include <setjmp.h>
            static jmp_buf out;
            int f(int n, int b) {
                if (n == 0) longjmp(out, 1);
                return (n > 100 && b) || (b && f(n - 1, b));
            }
            int main(void) { for (volatile int i = 1; i < 4; i++) if (!setjmp(out)) f(i, 1); return f(200, 1) && 1; }";
        assert_eq!(evaluations(text), [vec!["TT-- T"], vec!["T T"]]);
    }

    #[test]
    fn evaluations_of_different_decisions_are_never_taken_for_one_another() {
        let text = "int f(int a, int b) { return (a || b) + (!a && !b) + (!b && !a); }
            int main(void) { return f(0, 0) + f(0, 1) + f(1, 0) + f(1, 1); }";
        let all = ["F- F", "TF F", "TT T"];
        assert_eq!(evaluations(text), [vec!["FF F", "FT T", "T- T"], all.to_vec(), all.to_vec()]);
    }

    #[test]
    fn forty_conditions_are_read_back() {
        let conditions: Vec<String> = (0..40).map(|number| format!("a != {number}")).collect();
        let text = format!(
            "int f(int a) {{ return {}; }} int main(void) {{ f(39); return f(33) + f(41); }}",
            conditions.join(" && ")
        );
        let vector = |number: usize| "T".repeat(number) + "F" + &"-".repeat(39 - number) + " F";
        assert_eq!(evaluations(&text), [vec![vector(33), vector(39), "T".repeat(40) + " T"]]);
    }
}
