//! The table.
//!
//! Takes nothing; gives every function of the C library that Tarka knows something of. Facts are from C17, POSIX.1-2017 and
//! the manual pages of Linux; `tests/facts.rs` holds them to the C library of the machine.
//!
//! Reading a row: `instead` names our model or wrapper; `needs` lists the parameters that must not be null, where no model of
//! ours would look at what they lead to; `answering` has what can be an input (`--env`): its group, the
//! number of parameters and the result, then what is written behind which parameter (`filling`, `delivering`) and what
//! becomes of `errno` (`setting`). All of it is fact except the one bound that `delivering` adds, [`DELIVERS`].
//!
//! Never: functions of the user.

use crate::LibraryInput::{Alloc as ALLOC, Getenv as GETENV, Rand as RAND, Read as READ, Time as TIME};
use crate::entry::Errno::{MayBeSet, SetOnFailure};
use crate::entry::Fills::Objects;
use crate::entry::Results::{Any, Between, Fraction, Items, Line, Memory, Text};
use crate::{Answers, Bound, Entry, Errno, Fact, Fills, LibraryInput, Results};

/// The bytes of one reading call that are inputs.
const DELIVERS: Bound = Bound { does: "delivers", most: 256, of: "bytes" };

/// A character as `unsigned char`, or `EOF`.
const CHARACTER: Results = Between(-1, 255);
/// `RAND_MAX` of glibc, and what POSIX says of `random`, `lrand48` and `nrand48`.
const NOT_NEGATIVE: Results = Between(0, i32::MAX as i64);
/// What POSIX says of `mrand48` and `jrand48`.
const SIGNED_32: Results = Between(i32::MIN as i64, i32::MAX as i64);
const OK_OR_FAILED: Results = Between(-1, 0);
/// With this flag, `recv` tells how long a datagram was, even if it was cut.
const MSG_TRUNC: u64 = 0x20;

/// -1, or as many bytes as the parameter at this position says at most.
const fn up_to(most: u32) -> Results {
    Results::UpTo { least: -1, most, beyond: None }
}

/// The same, with the position of the flags.
const fn received(most: u32, flags: u32) -> Results {
    Results::UpTo { least: -1, most, beyond: Some((flags, MSG_TRUNC)) }
}

const fn function(name: &'static str) -> Entry {
    Entry { name, instead: None, gives_nothing: false, needs: Fact::new(&[]), answers: None }
}

const fn inputs(input: LibraryInput, params: usize, result: Results) -> Answers {
    let (fills, errno) = (Fact::new(Fills::Nothing), Fact::new(Errno::Untouched));
    Answers { input, params, result: Fact::new(result), fills, errno, delivers: None, unasked: false }
}

impl Entry {
    const fn instead(self, ours: &'static str) -> Entry {
        Entry { instead: Some(ours), ..self }
    }

    const fn gives_nothing(self) -> Entry {
        Entry { gives_nothing: true, ..self }
    }

    const fn needs(self, positions: &'static [u32]) -> Entry {
        Entry { needs: Fact::new(positions), ..self }
    }

    const fn answering(self, answers: Answers) -> Entry {
        Entry { answers: Some(answers), ..self }
    }
}

impl Answers {
    const fn filling(self, fills: Fills) -> Answers {
        Answers { fills: Fact::new(fills), ..self }
    }

    const fn delivering(self, buffer: u32) -> Answers {
        Answers { fills: Fact::new(Fills::Arriving(buffer)), delivers: Some(DELIVERS), ..self }
    }

    const fn unasked(self) -> Answers {
        Answers { unasked: true, ..self }
    }

    const fn setting(self, errno: Errno) -> Answers {
        Answers { errno: Fact::new(errno), ..self }
    }
}

/// Every function, in alphabetical order.
#[rustfmt::skip]
pub static TABLE: &[Entry] = &[
    function("_Exit").instead("tkw_exit").gives_nothing(),
    function("__assert").gives_nothing(),
    function("__assert_fail").instead("tkw_assert_fail").gives_nothing(),
    function("__assert_perror_fail").gives_nothing(),
    // Only where `errno` is: what it is comes from functions that set it.
    function("__errno_location").gives_nothing(),
    function("__isoc23_sscanf").instead("tkm_sscanf"),
    function("__isoc23_strtol").instead("tkm_strtol"),
    function("__isoc23_strtoll").instead("tkm_strtoll"),
    function("__isoc23_strtoul").instead("tkm_strtoul"),
    function("__isoc23_strtoull").instead("tkm_strtoull"),
    function("__isoc23_vsscanf").instead("tkm_vsscanf"),
    function("__isoc99_sscanf").instead("tkm_sscanf"),
    function("__isoc99_vsscanf").instead("tkm_vsscanf"),
    function("__longjmp_chk").instead("tkw_longjmp"),
    function("__muldc3").instead("tkm_muldc3"),
    function("__mulsc3").instead("tkm_mulsc3"),
    function("__mulxc3").instead("tkm_mulxc3"),
    function("_exit").instead("tkw_exit").gives_nothing(),
    function("_longjmp").instead("tkw_longjmp"),
    function("abort").instead("tkw_abort").gives_nothing(),
    function("abs").instead("tkm_abs"),
    function("access").needs(&[0]).answering(inputs(READ, 2, OK_OR_FAILED).setting(SetOnFailure)),
    function("aligned_alloc").instead("tkw_aligned_alloc").answering(inputs(ALLOC, 2, Memory)),
    function("atof").instead("tkm_atof"),
    function("atoi").instead("tkm_atoi"),
    function("atol").instead("tkm_atol"),
    function("atoll").instead("tkm_atoll"),
    function("bcmp").instead("tkm_memcmp"),
    function("bsearch").instead("tkm_bsearch"),
    function("bzero").instead("tkm_bzero"),
    function("calloc").instead("tkw_calloc").gives_nothing().answering(inputs(ALLOC, 2, Memory)),
    function("chdir").needs(&[0]),
    function("chmod").needs(&[0]),
    function("cimag").instead("tkm_cimag"),
    function("cimagf").instead("tkm_cimagf"),
    function("cimagl").instead("tkm_cimagl"),
    function("clock").answering(inputs(TIME, 0, Any).setting(MayBeSet)),
    function("clock_gettime").needs(&[1]).answering(inputs(TIME, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("conj").instead("tkm_conj"),
    function("conjf").instead("tkm_conjf"),
    function("conjl").instead("tkm_conjl"),
    function("creal").instead("tkm_creal"),
    function("crealf").instead("tkm_crealf"),
    function("creall").instead("tkm_creall"),
    function("creat").needs(&[0]),
    function("div").instead("tkm_div"),
    function("drand48").answering(inputs(RAND, 0, Fraction)),
    function("eaccess").needs(&[0]).answering(inputs(READ, 2, OK_OR_FAILED).setting(SetOnFailure)),
    function("erand48").needs(&[0]).answering(inputs(RAND, 1, Fraction).filling(Objects(0, 3))),
    function("euidaccess").needs(&[0]).answering(inputs(READ, 2, OK_OR_FAILED).setting(SetOnFailure)),
    function("exit").instead("tkw_exit").gives_nothing(),
    function("faccessat").needs(&[1]).answering(inputs(READ, 4, OK_OR_FAILED).setting(SetOnFailure)),
    function("fdim").instead("tkm_fdim"),
    function("fdimf").instead("tkm_fdimf"),
    function("fflush").gives_nothing(),
    function("fgetc").needs(&[0]).answering(inputs(READ, 1, CHARACTER).setting(MayBeSet)),
    function("fgetc_unlocked").needs(&[0]).answering(inputs(READ, 1, CHARACTER).setting(MayBeSet)),
    function("fgets").needs(&[0, 2]).answering(inputs(READ, 3, Line { room: Some(1) }).delivering(0).setting(MayBeSet)),
    function("fgets_unlocked").needs(&[0, 2]).answering(inputs(READ, 3, Line { room: Some(1) }).delivering(0).setting(MayBeSet)),
    function("fopen").needs(&[0, 1]),
    function("fprintf").needs(&[0, 1]).gives_nothing(),
    function("fputc").needs(&[1]).gives_nothing(),
    function("fputs").needs(&[0, 1]).gives_nothing(),
    function("fread").needs(&[3]).answering(inputs(READ, 4, Items { size: 1, most: 2 }).delivering(0).setting(MayBeSet)),
    function("fread_unlocked").needs(&[3]).answering(inputs(READ, 4, Items { size: 1, most: 2 }).delivering(0).setting(MayBeSet)),
    function("free").instead("tkw_free").gives_nothing(),
    function("frexp").instead("tkm_frexp"),
    function("frexpf").instead("tkm_frexpf"),
    function("fstat").needs(&[1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("fstat64").needs(&[1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("fstatat").needs(&[1, 2]).answering(inputs(READ, 4, OK_OR_FAILED).filling(Objects(2, 1)).setting(SetOnFailure)),
    function("fstatat64").needs(&[1, 2]).answering(inputs(READ, 4, OK_OR_FAILED).filling(Objects(2, 1)).setting(SetOnFailure)),
    function("getc").needs(&[0]).answering(inputs(READ, 1, CHARACTER).setting(MayBeSet)),
    function("getc_unlocked").needs(&[0]).answering(inputs(READ, 1, CHARACTER).setting(MayBeSet)),
    function("getchar").answering(inputs(READ, 0, CHARACTER).setting(MayBeSet)),
    function("getchar_unlocked").answering(inputs(READ, 0, CHARACTER).setting(MayBeSet)),
    function("getenv").needs(&[0]).answering(inputs(GETENV, 1, Text)),
    function("getopt").instead("tkm_getopt"),
    function("getopt_long").instead("tkm_getopt_long"),
    function("getopt_long_only").instead("tkm_getopt_long_only"),
    function("getrandom").answering(inputs(RAND, 3, up_to(1)).delivering(0).setting(SetOnFailure)),
    function("gets").needs(&[0]).answering(inputs(READ, 1, Line { room: None }).delivering(0).setting(MayBeSet).unasked()),
    function("gettimeofday").answering(inputs(TIME, 2, OK_OR_FAILED).filling(Objects(0, 1)).setting(SetOnFailure)),
    function("index").instead("tkm_strchr"),
    function("isalnum").instead("tkm_isalnum"),
    function("isalpha").instead("tkm_isalpha"),
    function("isascii").instead("tkm_isascii"),
    function("isatty").answering(inputs(READ, 1, Between(0, 1)).setting(MayBeSet)),
    function("isblank").instead("tkm_isblank"),
    function("iscntrl").instead("tkm_iscntrl"),
    function("isdigit").instead("tkm_isdigit"),
    function("isgraph").instead("tkm_isgraph"),
    function("islower").instead("tkm_islower"),
    function("isprint").instead("tkm_isprint"),
    function("ispunct").instead("tkm_ispunct"),
    function("isspace").instead("tkm_isspace"),
    function("isupper").instead("tkm_isupper"),
    function("isxdigit").instead("tkm_isxdigit"),
    function("jrand48").needs(&[0]).answering(inputs(RAND, 1, SIGNED_32).filling(Objects(0, 3))),
    function("labs").instead("tkm_labs"),
    function("ldexp").instead("tkm_ldexp"),
    function("ldexpf").instead("tkm_ldexpf"),
    function("ldiv").instead("tkm_ldiv"),
    function("llabs").instead("tkm_llabs"),
    function("lldiv").instead("tkm_ldiv"),
    function("llrint").instead("tkm_llrint"),
    function("llrintf").instead("tkm_llrintf"),
    function("llround").instead("tkm_llround"),
    function("llroundf").instead("tkm_llroundf"),
    function("longjmp").instead("tkw_longjmp"),
    function("lrand48").answering(inputs(RAND, 0, NOT_NEGATIVE)),
    function("lrint").instead("tkm_lrint"),
    function("lrintf").instead("tkm_lrintf"),
    function("lround").instead("tkm_lround"),
    function("lroundf").instead("tkm_lroundf"),
    function("lstat").needs(&[0, 1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("lstat64").needs(&[0, 1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("malloc").instead("tkw_malloc").gives_nothing().answering(inputs(ALLOC, 1, Memory)),
    function("malloc_usable_size").instead("tkw_malloc_usable_size"),
    function("memchr").instead("tkm_memchr"),
    function("memcmp").instead("tkm_memcmp"),
    function("memcpy").instead("tkm_memcpy"),
    function("memmove").instead("tkm_memmove"),
    function("mempcpy").instead("tkm_mempcpy"),
    function("memrchr").instead("tkm_memrchr"),
    function("memset").instead("tkm_memset"),
    function("mkdir").needs(&[0]),
    function("modf").instead("tkm_modf"),
    function("modff").instead("tkm_modff"),
    function("mrand48").answering(inputs(RAND, 0, SIGNED_32)),
    function("nrand48").needs(&[0]).answering(inputs(RAND, 1, NOT_NEGATIVE).filling(Objects(0, 3))),
    function("open").needs(&[0]),
    function("opendir").needs(&[0]),
    function("perror").gives_nothing(),
    function("popen").needs(&[0, 1]),
    function("posix_memalign").instead("tkw_posix_memalign"),
    function("pread").answering(inputs(READ, 4, up_to(2)).delivering(1).setting(SetOnFailure)),
    function("pread64").answering(inputs(READ, 4, up_to(2)).delivering(1).setting(SetOnFailure)),
    function("printf").needs(&[0]).gives_nothing(),
    function("putc").needs(&[1]).gives_nothing(),
    function("putchar").gives_nothing(),
    function("puts").needs(&[0]).gives_nothing(),
    function("qsort").instead("tkm_qsort"),
    function("quick_exit").instead("tkw_exit"),
    function("rand").answering(inputs(RAND, 0, NOT_NEGATIVE)),
    function("rand_r").needs(&[0]).answering(inputs(RAND, 1, NOT_NEGATIVE).filling(Objects(0, 1))),
    function("random").answering(inputs(RAND, 0, NOT_NEGATIVE)),
    function("read").answering(inputs(READ, 3, up_to(2)).delivering(1).setting(SetOnFailure)),
    function("readlink").needs(&[0, 1]).answering(inputs(READ, 3, up_to(2)).delivering(1).setting(SetOnFailure)),
    function("realloc").instead("tkw_realloc").gives_nothing().answering(inputs(ALLOC, 2, Memory)),
    function("reallocarray").instead("tkw_reallocarray").answering(inputs(ALLOC, 3, Memory)),
    function("recv").answering(inputs(READ, 4, received(2, 3)).delivering(1).setting(SetOnFailure)),
    function("recvfrom").answering(inputs(READ, 6, received(2, 3)).delivering(1).setting(SetOnFailure)),
    function("remove").needs(&[0]),
    function("rename").needs(&[0, 1]),
    function("rindex").instead("tkm_strrchr"),
    function("rmdir").needs(&[0]),
    function("scalbln").instead("tkm_scalbln"),
    function("scalblnf").instead("tkm_scalblnf"),
    function("scalbn").instead("tkm_ldexp"),
    function("scalbnf").instead("tkm_ldexpf"),
    function("secure_getenv").needs(&[0]).answering(inputs(GETENV, 1, Text)),
    function("setenv").needs(&[0]),
    function("siglongjmp").instead("tkw_longjmp"),
    function("snprintf").instead("tkm_snprintf"),
    function("sprintf").instead("tkm_sprintf").gives_nothing(),
    function("sscanf").instead("tkm_sscanf"),
    function("stat").needs(&[0, 1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("stat64").needs(&[0, 1]).answering(inputs(READ, 2, OK_OR_FAILED).filling(Objects(1, 1)).setting(SetOnFailure)),
    function("stpcpy").instead("tkm_stpcpy"),
    function("strcasecmp").instead("tkm_strcasecmp"),
    function("strcat").instead("tkm_strcat"),
    function("strchr").instead("tkm_strchr"),
    function("strchrnul").instead("tkm_strchrnul"),
    function("strcmp").instead("tkm_strcmp"),
    function("strcpy").instead("tkm_strcpy"),
    function("strcspn").instead("tkm_strcspn"),
    function("strdup").instead("tkm_strdup").answering(inputs(ALLOC, 1, Memory)),
    function("strlen").instead("tkm_strlen"),
    function("strncasecmp").instead("tkm_strncasecmp"),
    function("strncat").instead("tkm_strncat"),
    function("strncmp").instead("tkm_strncmp"),
    function("strncpy").instead("tkm_strncpy"),
    function("strndup").instead("tkm_strndup").answering(inputs(ALLOC, 2, Memory)),
    function("strnlen").instead("tkm_strnlen"),
    function("strpbrk").instead("tkm_strpbrk"),
    function("strrchr").instead("tkm_strrchr"),
    function("strsep").instead("tkm_strsep"),
    function("strspn").instead("tkm_strspn"),
    function("strstr").instead("tkm_strstr"),
    function("strtod").instead("tkm_strtod").gives_nothing(),
    function("strtok").instead("tkm_strtok"),
    function("strtok_r").instead("tkm_strtok_r"),
    function("strtol").instead("tkm_strtol"),
    function("strtold").needs(&[0]).gives_nothing(),
    function("strtoll").instead("tkm_strtoll"),
    function("strtoul").instead("tkm_strtoul"),
    function("strtoull").instead("tkm_strtoull"),
    function("syslog").needs(&[1]).gives_nothing(),
    function("time").answering(inputs(TIME, 1, Any).filling(Fills::Result(0)).setting(MayBeSet)),
    function("toascii").instead("tkm_toascii"),
    function("tolower").instead("tkm_tolower"),
    function("toupper").instead("tkm_toupper"),
    function("unlink").needs(&[0]),
    function("vfprintf").needs(&[0, 1]).gives_nothing(),
    function("vprintf").needs(&[0]).gives_nothing(),
    function("vsnprintf").instead("tkm_vsnprintf").gives_nothing(),
    function("vsprintf").instead("tkm_vsprintf"),
    function("vsscanf").instead("tkm_vsscanf").gives_nothing(),
    function("wcscat").instead("tkm_wcscat"),
    function("wcschr").instead("tkm_wcschr"),
    function("wcscmp").instead("tkm_wcscmp"),
    function("wcscpy").instead("tkm_wcscpy"),
    function("wcslen").instead("tkm_wcslen"),
    function("wcsncmp").instead("tkm_wcsncmp"),
    function("wcsncpy").instead("tkm_wcsncpy"),
    function("wcsnlen").instead("tkm_wcsnlen"),
    function("wcsrchr").instead("tkm_wcsrchr"),
    function("wmemchr").instead("tkm_wmemchr"),
    function("wmemcmp").instead("tkm_wmemcmp"),
    function("wmemcpy").instead("tkm_wmemcpy"),
    function("wmemmove").instead("tkm_wmemmove"),
    function("wmemset").instead("tkm_wmemset"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_once_and_in_order() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} before {}", pair[0].name, pair[1].name);
        }
        for entry in TABLE {
            assert_eq!(crate::find(entry.name).map(|found| found.name), Some(entry.name));
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        for name in ["fscanf", "", "strlenx", "tkm_strlen"] {
            assert!(crate::find(name).is_none());
        }
    }

    /// A number of ours that got into a fact would be a wrong proof: what limits results are parameters and the limits of
    /// characters, of 32-bit numbers, of success.
    #[test]
    fn no_fact_has_a_bound_in_it() {
        const NATURAL: [(i64, i64); 6] =
            [(-1, 255), (-1, 0), (0, 1), (0, 0x7fff_ffff), (-0x8000_0000, 0x7fff_ffff), (-1, i64::MAX)];
        for entry in TABLE {
            let Some(answers) = entry.answers else { continue };
            let numbers = answers.result.numbers().map(Fact::get);
            assert!(numbers.is_none_or(|numbers| NATURAL.contains(&numbers)), "{}: {numbers:?}", entry.name);
            let arrives = matches!(answers.fills.get(), Fills::Arriving(_));
            assert_eq!(arrives, answers.delivers.is_some(), "{}", entry.name);
        }
    }

    #[test]
    fn positions_are_those_of_parameters() {
        for entry in TABLE {
            let Some(answers) = entry.answers else { continue };
            let mut positions = match answers.result.get() {
                Results::UpTo { most, beyond, .. } => vec![Some(most), beyond.map(|(flags, _)| flags)],
                Items { size, most } => vec![Some(size), Some(most)],
                Line { room } => vec![room],
                Any | Between(..) | Fraction | Text | Memory => Vec::new(),
            };
            positions.push(match answers.fills.get() {
                Fills::Nothing => None,
                Fills::Result(at) | Objects(at, _) | Fills::Arriving(at) => Some(at),
            });
            positions.extend(entry.needs.get().iter().copied().map(Some));
            for position in positions.into_iter().flatten() {
                assert!((position as usize) < answers.params, "{}", entry.name);
            }
        }
    }

    #[test]
    fn a_bound_is_named_with_its_function() {
        let read = crate::answers("read").and_then(|answers| answers.delivers).expect("a bound");
        assert_eq!(read.words("read"), "one call of `read` delivers at most 256 bytes");
    }
}
