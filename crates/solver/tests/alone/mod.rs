//! Tests that look at their whole process or disturb it: each in a process of its own, because others run beside it.
#![allow(clippy::disallowed_macros)] // what the process said is worth a look

use std::process::Command;

/// Set in the process that runs one test only.
const ALONE: &str = "TARKA_TEST_ALONE";

/// Whether the caller is alone in its process. If not, it was run in one where it is, and passed there.
///
/// Takes its name as the test program lists it.
pub fn is_alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    let output = command.args(["--exact", test, "--nocapture"]).env(ALONE, "1").output().expect("it starts");
    let told =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    print!("{told}");
    // Nothing fails where no test has that name.
    assert!(output.status.success() && told.contains("1 passed"), "{test}, alone in a process, fails");
    false
}
