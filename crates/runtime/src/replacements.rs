//! Which library functions are called by another name in instrumented code.
//!
//! `tkm_*` are models: instrumented C that computes the same. `tkw_*` are wrappers in the runtime object: not
//! instrumented, they keep the books of the heap or end the run.

/// Library name and the name to call instead, in alphabetical order of the former.
pub const REPLACEMENTS: &[(&str, &str)] = &[
    ("_Exit", "tkw_exit"),
    ("__assert_fail", "tkw_assert_fail"),
    ("__longjmp_chk", "tkw_longjmp"),
    ("__muldc3", "tkm_muldc3"),
    ("__mulsc3", "tkm_mulsc3"),
    ("__mulxc3", "tkm_mulxc3"),
    ("_exit", "tkw_exit"),
    ("_longjmp", "tkw_longjmp"),
    ("abort", "tkw_abort"),
    ("abs", "tkm_abs"),
    ("aligned_alloc", "tkw_aligned_alloc"),
    ("atoi", "tkm_atoi"),
    ("atol", "tkm_atol"),
    ("atoll", "tkm_atoll"),
    ("bcmp", "tkm_memcmp"),
    ("bsearch", "tkm_bsearch"),
    ("bzero", "tkm_bzero"),
    ("calloc", "tkw_calloc"),
    ("cimag", "tkm_cimag"),
    ("cimagf", "tkm_cimagf"),
    ("cimagl", "tkm_cimagl"),
    ("conj", "tkm_conj"),
    ("conjf", "tkm_conjf"),
    ("conjl", "tkm_conjl"),
    ("creal", "tkm_creal"),
    ("crealf", "tkm_crealf"),
    ("creall", "tkm_creall"),
    ("div", "tkm_div"),
    ("exit", "tkw_exit"),
    ("fdim", "tkm_fdim"),
    ("fdimf", "tkm_fdimf"),
    ("free", "tkw_free"),
    ("frexp", "tkm_frexp"),
    ("frexpf", "tkm_frexpf"),
    ("index", "tkm_strchr"),
    ("isalnum", "tkm_isalnum"),
    ("isalpha", "tkm_isalpha"),
    ("isascii", "tkm_isascii"),
    ("isblank", "tkm_isblank"),
    ("iscntrl", "tkm_iscntrl"),
    ("isdigit", "tkm_isdigit"),
    ("isgraph", "tkm_isgraph"),
    ("islower", "tkm_islower"),
    ("isprint", "tkm_isprint"),
    ("ispunct", "tkm_ispunct"),
    ("isspace", "tkm_isspace"),
    ("isupper", "tkm_isupper"),
    ("isxdigit", "tkm_isxdigit"),
    ("labs", "tkm_labs"),
    ("ldexp", "tkm_ldexp"),
    ("ldexpf", "tkm_ldexpf"),
    ("ldiv", "tkm_ldiv"),
    ("llabs", "tkm_llabs"),
    ("lldiv", "tkm_ldiv"),
    ("llrint", "tkm_llrint"),
    ("llrintf", "tkm_llrintf"),
    ("llround", "tkm_llround"),
    ("llroundf", "tkm_llroundf"),
    ("longjmp", "tkw_longjmp"),
    ("lrint", "tkm_lrint"),
    ("lrintf", "tkm_lrintf"),
    ("lround", "tkm_lround"),
    ("lroundf", "tkm_lroundf"),
    ("malloc", "tkw_malloc"),
    ("malloc_usable_size", "tkw_malloc_usable_size"),
    ("memchr", "tkm_memchr"),
    ("memcmp", "tkm_memcmp"),
    ("memcpy", "tkm_memcpy"),
    ("memmove", "tkm_memmove"),
    ("mempcpy", "tkm_mempcpy"),
    ("memrchr", "tkm_memrchr"),
    ("memset", "tkm_memset"),
    ("modf", "tkm_modf"),
    ("modff", "tkm_modff"),
    ("posix_memalign", "tkw_posix_memalign"),
    ("qsort", "tkm_qsort"),
    ("quick_exit", "tkw_exit"),
    ("realloc", "tkw_realloc"),
    ("reallocarray", "tkw_reallocarray"),
    ("rindex", "tkm_strrchr"),
    ("scalbln", "tkm_scalbln"),
    ("scalblnf", "tkm_scalblnf"),
    ("scalbn", "tkm_ldexp"),
    ("scalbnf", "tkm_ldexpf"),
    ("siglongjmp", "tkw_longjmp"),
    ("stpcpy", "tkm_stpcpy"),
    ("strcasecmp", "tkm_strcasecmp"),
    ("strcat", "tkm_strcat"),
    ("strchr", "tkm_strchr"),
    ("strchrnul", "tkm_strchrnul"),
    ("strcmp", "tkm_strcmp"),
    ("strcpy", "tkm_strcpy"),
    ("strcspn", "tkm_strcspn"),
    ("strdup", "tkm_strdup"),
    ("strlen", "tkm_strlen"),
    ("strncasecmp", "tkm_strncasecmp"),
    ("strncat", "tkm_strncat"),
    ("strncmp", "tkm_strncmp"),
    ("strncpy", "tkm_strncpy"),
    ("strndup", "tkm_strndup"),
    ("strnlen", "tkm_strnlen"),
    ("strpbrk", "tkm_strpbrk"),
    ("strrchr", "tkm_strrchr"),
    ("strsep", "tkm_strsep"),
    ("strspn", "tkm_strspn"),
    ("strstr", "tkm_strstr"),
    ("strtok", "tkm_strtok"),
    ("strtok_r", "tkm_strtok_r"),
    ("strtol", "tkm_strtol"),
    ("strtoll", "tkm_strtoll"),
    ("strtoul", "tkm_strtoul"),
    ("strtoull", "tkm_strtoull"),
    ("toascii", "tkm_toascii"),
    ("tolower", "tkm_tolower"),
    ("toupper", "tkm_toupper"),
    ("wcscat", "tkm_wcscat"),
    ("wcschr", "tkm_wcschr"),
    ("wcscmp", "tkm_wcscmp"),
    ("wcscpy", "tkm_wcscpy"),
    ("wcslen", "tkm_wcslen"),
    ("wcsncmp", "tkm_wcsncmp"),
    ("wcsncpy", "tkm_wcsncpy"),
    ("wcsnlen", "tkm_wcsnlen"),
    ("wcsrchr", "tkm_wcsrchr"),
    ("wmemchr", "tkm_wmemchr"),
    ("wmemcmp", "tkm_wmemcmp"),
    ("wmemcpy", "tkm_wmemcpy"),
    ("wmemmove", "tkm_wmemmove"),
    ("wmemset", "tkm_wmemset"),
];

/// The name to call instead of a library function, if it has a model or a wrapper. A function that the unit defines
/// itself must keep its own name: ask only about declarations.
pub fn replacement(name: &str) -> Option<&'static str> {
    REPLACEMENTS.binary_search_by(|(library, _)| (*library).cmp(name)).ok().map(|index| REPLACEMENTS[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found_by_its_name() {
        for (library, ours) in REPLACEMENTS {
            assert_eq!(replacement(library), Some(*ours), "the table is out of order near {library}");
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        for name in ["printf", "", "strlenx", "tkm_strlen"] {
            assert_eq!(replacement(name), None);
        }
    }
}
