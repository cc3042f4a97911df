//! The facts of the table before the C library of this machine: many calls stay within them and come near their ends.
//!
//! Takes the table; calls the real functions. Never: what no program can bring about here, such as errors of a disk.

use std::ffi::{CString, c_int, c_long, c_ushort, c_void};
use std::io::Write;

use tarka_library::{Fills, Results, answers};

unsafe extern "C" {
    fn lrand48() -> c_long;
    fn mrand48() -> c_long;
    fn nrand48(state: *mut c_ushort) -> c_long;
    fn jrand48(state: *mut c_ushort) -> c_long;
    fn drand48() -> f64;
    fn erand48(state: *mut c_ushort) -> f64;
    fn random() -> c_long;
    fn rand_r(seed: *mut u32) -> c_int;
}

const CALLS: usize = 100_000;

fn between(name: &str) -> (i64, i64) {
    let result = answers(name).unwrap_or_else(|| panic!("{name} is in the table")).result;
    let Results::Between(first, last) = result.get() else { panic!("{name} gives numbers") };
    (first, last)
}

/// Every value lies in the range, and some in each of its outermost hundredths.
fn fills_its_range(name: &str, mut call: impl FnMut() -> i64) {
    let (first, last) = between(name);
    let hundredth = (last - first) / 100;
    let (mut low, mut high) = (0, 0);
    for _ in 0..CALLS {
        let value = call();
        assert!((first..=last).contains(&value), "{name} gave {value}");
        low += usize::from(value < first + hundredth);
        high += usize::from(value > last - hundredth);
    }
    assert!(low > 0 && high > 0, "{name}: {low} near the lower end, {high} near the upper one");
}

#[test]
fn random_numbers_fill_their_ranges() {
    let mut state: [c_ushort; 3] = [1, 2, 3];
    let mut seed = 7;
    // SAFETY: these take nothing, or a pointer to state of their own.
    unsafe {
        fills_its_range("rand", || libc::rand().into());
        fills_its_range("random", || random());
        fills_its_range("rand_r", || rand_r(&raw mut seed).into());
        fills_its_range("lrand48", || lrand48());
        fills_its_range("mrand48", || mrand48());
        fills_its_range("nrand48", || nrand48(state.as_mut_ptr()));
        fills_its_range("jrand48", || jrand48(state.as_mut_ptr()));
        for _ in 0..CALLS {
            assert!((0.0..1.0).contains(&drand48()) && (0.0..1.0).contains(&erand48(state.as_mut_ptr())));
        }
    }
    assert_ne!((seed, state), (7, [1, 2, 3]), "they write their state");
    for (name, count) in [("rand_r", 1), ("nrand48", 3), ("jrand48", 3), ("erand48", 3)] {
        assert_eq!(answers(name).map(|answers| answers.fills.get()), Some(Fills::Objects(0, count)));
    }
}

/// A file with these bytes.
fn file(bytes: &[u8]) -> (tempfile::NamedTempFile, CString) {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("it can be written");
    let path = CString::new(file.path().to_str().expect("a plain path")).expect("no zero in it");
    (file, path)
}

#[test]
fn reads_give_as_many_bytes_as_asked_for_and_never_more() {
    let Results::UpTo { least: -1, most: 2, beyond: None } = answers("read").unwrap().result.get() else {
        panic!("-1 up to the third parameter")
    };
    let (_kept, path) = file(&[7; 300]);
    for asked in [0, 1, 40, 64, 256, 300, 301, 1000] {
        let mut buffer = [0_u8; 1000];
        // SAFETY: the buffer has room for what is asked for; the path ends in a zero.
        let got = unsafe {
            let fd = libc::open(path.as_ptr(), libc::O_RDONLY);
            let got = libc::read(fd, buffer.as_mut_ptr().cast::<c_void>(), asked);
            libc::close(fd);
            got
        };
        assert_eq!(got, asked.min(300) as isize);
        assert!(buffer[got as usize..].iter().all(|&byte| byte == 0), "bytes behind them are left alone");
    }
    // SAFETY: no byte is written, and errno is this thread's own.
    let (failed, error) = unsafe {
        *libc::__errno_location() = 0;
        (libc::read(-1, [0_u8; 4].as_mut_ptr().cast::<c_void>(), 4), *libc::__errno_location())
    };
    assert_eq!((failed, error), (-1, libc::EBADF), "-1, and a positive errno with it");
}

#[test]
fn a_datagram_that_was_cut_may_tell_its_length() {
    let Results::UpTo { beyond: Some((3, flag)), .. } = answers("recv").unwrap().result.get() else {
        panic!("a flag in the fourth parameter")
    };
    let mut pair = [0; 2];
    let (sent, mut buffer) = ([7_u8; 100], [0_u8; 100]);
    // SAFETY: both buffers are as large as is said.
    let (plain, told) = unsafe {
        assert_eq!(libc::socketpair(libc::AF_UNIX, libc::SOCK_DGRAM, 0, pair.as_mut_ptr()), 0);
        let mut get = |flags: c_int| {
            libc::send(pair[0], sent.as_ptr().cast::<c_void>(), 100, 0);
            libc::recv(pair[1], buffer.as_mut_ptr().cast::<c_void>(), 8, flags)
        };
        (get(0), get(flag as c_int))
    };
    assert_eq!((plain, told), (8, 100));
    assert_eq!(buffer[..9], [7, 7, 7, 7, 7, 7, 7, 7, 0], "what is asked for arrives, not more");
}

#[test]
fn items_lines_and_characters() {
    let all: Vec<u8> = (0..=255).collect();
    let (_kept, path) = file(&all);
    // SAFETY: the buffers are as large as is said; the stream is open in between.
    unsafe {
        let stream = libc::fopen(path.as_ptr(), c"r".as_ptr());
        let (first, last) = between("fgetc");
        for byte in 0..=255 {
            assert_eq!(libc::fgetc(stream), byte);
        }
        assert_eq!((i64::from(libc::fgetc(stream)), last), (first, 255));
        libc::rewind(stream);
        let mut buffer = [0_u8; 256];
        let to = buffer.as_mut_ptr().cast::<c_void>();
        assert_eq!(libc::fread(to, 4, 16, stream), 16);
        assert_eq!(libc::fread(to, 0, 16, stream), 0, "items without a size never arrive");
        assert_eq!(libc::fread(to, 1, 256, stream), 192, "at the end of the file, less than asked for");
        libc::fclose(stream);
    }
    let (_kept, path) = file(b"ab\n\ncdef\0g");
    // SAFETY: as above.
    unsafe {
        let stream = libc::fopen(path.as_ptr(), c"r".as_ptr());
        let line = |room: c_int| {
            let mut buffer = [b'-'; 8];
            let given = libc::fgets(buffer.as_mut_ptr().cast(), room, stream);
            (!given.is_null()).then_some(buffer)
        };
        assert_eq!(line(8), Some(*b"ab\n\0----"), "a newline ends the line");
        assert_eq!(line(1), Some(*b"\0-------"), "without room for a character, it is empty");
        assert_eq!(line(8), Some(*b"\n\0------"));
        assert_eq!(line(4), Some(*b"cde\0----"), "one less than there is room for");
        assert_eq!(line(8), Some(*b"f\0g\0----"), "zeros are characters");
        assert_eq!(line(8), None, "never a line without characters");
        libc::fclose(stream);
    }
}

#[test]
fn files_are_told_of_or_an_error_is() {
    let (_kept, path) = file(b"four");
    let nowhere = c"/nothing/is/here";
    for name in ["stat", "lstat", "fstat", "stat64", "lstat64", "fstat64"] {
        assert_eq!(answers(name).map(|answers| answers.fills.get()), Some(Fills::Objects(1, 1)), "{name}");
        assert_eq!(between(name), (-1, 0));
    }
    assert_eq!((between("access"), between("isatty")), ((-1, 0), (0, 1)));
    // SAFETY: paths end in a zero, and what is written is as large as its type.
    unsafe {
        let mut told: libc::stat = std::mem::zeroed();
        assert_eq!((libc::stat(path.as_ptr(), &raw mut told), told.st_size), (0, 4));
        *libc::__errno_location() = 0;
        let failed = libc::stat(nowhere.as_ptr(), &raw mut told);
        assert_eq!((failed, *libc::__errno_location(), told.st_size), (-1, libc::ENOENT, 4));
        assert_eq!(libc::access(path.as_ptr(), libc::R_OK), 0);
        assert_eq!((libc::access(nowhere.as_ptr(), libc::F_OK), libc::isatty(-1)), (-1, 0));
    }
}
