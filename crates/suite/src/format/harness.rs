//! What every test file has beside its tests: the check, the loop that runs each test in a process of its own, and
//! what the sanitizers ask for.
//!
//! Takes what the file needs, gives C. It compiles without warnings as C99 under gcc and clang.
//! Never: anything of the unit.

use tarka_source::SourceModel;

use crate::names::{self, mentions};

/// The part before the tests, some of which may have something to check.
pub fn before_tests(has_checks: bool, model: &SourceModel) -> String {
    let check = if has_checks { CHECK_MACRO } else { "" };
    names::of_our_own(&format!("{CHECK_COUNT}{check}"), model)
}

/// The part after the tests and their table. `errno` starts at 0 where the unit looks at it.
pub fn after_tests(model: &SourceModel) -> String {
    let runner = match model.mentions_errno {
        true => RUNNER.replacen("        alarm(10);", "        errno = 0;\n        alarm(10);", 1),
        false => RUNNER.to_string(),
    };
    let runner = names::of_our_own(&runner, model);
    // A unit may have sanitizer options of its own.
    let has_options = mentions(&model.probed_text, "__asan_default_options");
    if has_options { runner } else { format!("{ASAN_OPTIONS}\n{runner}") }
}

const CHECK_COUNT: &str = "static int tarka_failed_checks;\n";

const CHECK_MACRO: &str = r#"
static void tarka_check(int holds, const char *file, int line, const char *condition)
{
    if (!holds) {
        tarka_failed_checks++;
        printf("%s:%d: CHECK failed: %s\n", file, line, condition);
    }
}

#undef CHECK
#define CHECK(condition) tarka_check((condition) != 0, __FILE__, __LINE__, #condition)
"#;

/// Asked by the sanitizer's runtime alone; without it, a function that nobody calls.
const ASAN_OPTIONS: &str = r#"/* For -fsanitize=address: a test ends with whatever the unit keeps, and allocations may fail. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}
"#;

const RUNNER: &str = r#"/* Runs one test in a process of its own, so that none sees what another left in static variables. */
static int tarka_run(const struct tarka_test *test)
{
    int status = 0;
    int passed;
    int child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        alarm(10);
        test->run();
        exit(tarka_failed_checks == 0 ? TARKA_PASSED : TARKA_FAILED);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("fork");
        return 0;
    }
    passed = WIFEXITED(status) && WEXITSTATUS(status) == test->status;
    printf("%s %s", passed ? "ok    " : "FAILED", test->name);
    if (WIFSIGNALED(status))
        printf(" (signal %d)", WTERMSIG(status));
    else if (!passed && WEXITSTATUS(status) != TARKA_PASSED && WEXITSTATUS(status) != TARKA_FAILED)
        printf(" (exit status %d)", WEXITSTATUS(status));
    printf("\n");
    return passed;
}

int main(int argc, char **argv)
{
    unsigned count = sizeof tarka_tests / sizeof *tarka_tests;
    unsigned chosen = 0;
    unsigned passed = 0;
    unsigned i;

    for (i = 0; i < count; i++) {
        if (argc > 1 && strcmp(argv[1], tarka_tests[i].name) != 0)
            continue;
        chosen++;
        passed += tarka_run(&tarka_tests[i]) ? 1 : 0;
    }
    if (chosen == 0) {
        printf("no test named %s\n", argv[1]);
        return 2;
    }
    return passed == chosen ? 0 : 1;
}
"#;
