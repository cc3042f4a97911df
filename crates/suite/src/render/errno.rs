//! Values of `errno` by name.
//!
//! Takes the bytes of an `int`, gives `EINTR` or a number. The numbers are Linux's, which every emitted file runs on.

const NAMES: &[(i32, &str)] = &[
    (libc::EPERM, "EPERM"),
    (libc::ENOENT, "ENOENT"),
    (libc::EINTR, "EINTR"),
    (libc::EIO, "EIO"),
    (libc::EBADF, "EBADF"),
    (libc::ECHILD, "ECHILD"),
    (libc::EAGAIN, "EAGAIN"),
    (libc::ENOMEM, "ENOMEM"),
    (libc::EACCES, "EACCES"),
    (libc::EFAULT, "EFAULT"),
    (libc::EBUSY, "EBUSY"),
    (libc::EEXIST, "EEXIST"),
    (libc::ENODEV, "ENODEV"),
    (libc::ENOTDIR, "ENOTDIR"),
    (libc::EISDIR, "EISDIR"),
    (libc::EINVAL, "EINVAL"),
    (libc::ENFILE, "ENFILE"),
    (libc::EMFILE, "EMFILE"),
    (libc::EFBIG, "EFBIG"),
    (libc::ENOSPC, "ENOSPC"),
    (libc::ESPIPE, "ESPIPE"),
    (libc::EROFS, "EROFS"),
    (libc::EPIPE, "EPIPE"),
    (libc::EDOM, "EDOM"),
    (libc::ERANGE, "ERANGE"),
    (libc::EDEADLK, "EDEADLK"),
    (libc::ENAMETOOLONG, "ENAMETOOLONG"),
    (libc::ENOSYS, "ENOSYS"),
    (libc::ENOTEMPTY, "ENOTEMPTY"),
    (libc::EOVERFLOW, "EOVERFLOW"),
    (libc::EILSEQ, "EILSEQ"),
    (libc::ENOTSOCK, "ENOTSOCK"),
    (libc::EMSGSIZE, "EMSGSIZE"),
    (libc::EADDRINUSE, "EADDRINUSE"),
    (libc::ENETUNREACH, "ENETUNREACH"),
    (libc::ECONNRESET, "ECONNRESET"),
    (libc::ENOBUFS, "ENOBUFS"),
    (libc::ENOTCONN, "ENOTCONN"),
    (libc::ETIMEDOUT, "ETIMEDOUT"),
    (libc::ECONNREFUSED, "ECONNREFUSED"),
    (libc::EHOSTUNREACH, "EHOSTUNREACH"),
    (libc::EALREADY, "EALREADY"),
    (libc::EINPROGRESS, "EINPROGRESS"),
];

/// The value as C text.
pub fn text(bytes: &[u8]) -> String {
    let mut padded = [0; 4];
    let used = bytes.len().min(4);
    padded[..used].copy_from_slice(&bytes[..used]);
    let value = i32::from_le_bytes(padded);
    let name = NAMES.iter().find(|(number, _)| *number == value).map(|(_, name)| name.to_string());
    match value {
        i32::MIN => "INT_MIN".to_string(),
        _ => name.unwrap_or_else(|| value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_names() {
        assert_eq!(text(&4i32.to_le_bytes()), "EINTR");
        assert_eq!(text(&1000i32.to_le_bytes()), "1000");
        assert_eq!(text(&i32::MIN.to_le_bytes()), "INT_MIN");
    }
}
