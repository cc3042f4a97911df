//! How long the page of a large report takes to open: `cargo run --release -p tarka-report --example page_opening`.
//!
//! 200 functions with 10,000 goals, in Chromium without a window; the time until everything is drawn once, a search and a
//! function included.

#![allow(clippy::disallowed_macros)] // A measurement prints.

#[path = "../tests/browser/client.rs"]
#[allow(dead_code)]
mod client;
#[path = "../tests/browser/many.rs"]
mod many;

use std::time::Instant;

use client::Browser;

/// What the script of the page has done by the second frame after it.
const DRAWN: &str = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))";

fn main() {
    let begin = Instant::now();
    let text = many::page_of(many::FUNCTIONS);
    let written = begin.elapsed();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("index.html");
    std::fs::write(&path, &text).expect("the page");
    let browser = Browser::new(1280, true);
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            browser.open(&format!("file://{}", path.display()));
            browser.run(DRAWN).as_f64().expect("a time")
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let then = |action: &str| {
        let timed = format!(
            "const from = performance.now(); {action}; document.body.offsetHeight; return performance.now() - from"
        );
        browser.run(&timed).as_f64().expect("a time")
    };
    let search = then(
        "const it = document.getElementById('search'); it.value = 'part_07'; it.dispatchEvent(new Event('input'))",
    );
    let function =
        then("location.hash = 'fn-function_070'; dispatchEvent(new HashChangeEvent('hashchange'))");
    println!("the page of 200 functions and 10000 goals in Chromium, without a window");
    println!("  written in                {:7.0} ms, {} KB", written.as_secs_f64() * 1e3, text.len() / 1024);
    println!("  opened and drawn in       {:7.0} ms (median of 5; asked: below 2000)", times[2]);
    println!("  searched in               {search:7.0} ms");
    println!("  a function opened in      {function:7.0} ms");
}
