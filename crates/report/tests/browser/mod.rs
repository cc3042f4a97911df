//! The page in a browser, on 200 functions and 10,000 goals: finding, reading, looking, printing.

mod client;
mod many;

use client::Browser;
use serde_json::{Value, json};

/// The page in a folder of its own, and a browser that shows it.
struct Shown {
    browser: Browser,
    address: String,
    _folder: tempfile::TempDir,
}

fn shown(functions: u32, width: u32, scripts: bool) -> Shown {
    let folder = tempfile::tempdir().expect("a folder");
    // A folder and a file may have any name.
    let path = folder.path().join("index.html");
    std::fs::write(&path, many::page_of(functions)).expect("the page");
    let browser = Browser::new(width, scripts);
    let address = format!("file://{}", path.display());
    browser.open(&address);
    Shown { browser, address, _folder: folder }
}

impl Shown {
    /// The names of the functions in the table, as they stand.
    fn rows(&self) -> Vec<String> {
        let names = self.browser.run("return [...document.querySelectorAll('#function-table tbody tr[data-function]')].map(row => row.dataset.function)");
        names
            .as_array()
            .expect("names")
            .iter()
            .map(|name| name.as_str().expect("a name").to_string())
            .collect()
    }

    fn visible(&self, selector: &str) -> bool {
        self.browser.run(&format!(
            "const it = document.querySelector({selector:?}); return !!it && it.offsetParent !== null"
        )) == json!(true)
    }

    /// Nothing went wrong, and nothing but the page itself was asked for.
    fn was_quiet(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        let requests = self.browser.requests();
        assert!(!requests.is_empty(), "the page itself is one");
        for request in requests {
            assert!(request.contains(&self.address), "the page asked for {request}");
        }
    }
}

#[test]
fn functions_are_found_by_search_sorting_filter_and_keys() {
    let page = shown(many::FUNCTIONS, 1280, true);
    let browser = &page.browser;
    assert_eq!(page.rows().len(), 200);

    // `/` goes to the search, Enter opens the first.
    browser.press("/part_07");
    assert_eq!(page.rows().len(), 10);
    assert_eq!(browser.text("return document.querySelector('#shown').textContent"), "10 of 200 functions");
    browser.press("\u{E007}");
    assert!(browser.text("return location.hash").ends_with("#fn-function_070"));
    assert!(page.visible("#unit h2") && !page.visible("#function-table"));
    // Escape in the search empties it, and outside leads back.
    browser.press("\u{E00C}");
    browser.press("\u{E00C}");
    assert_eq!(page.rows().len(), 200);
    assert!(page.visible("#function-table"));

    // Runs: the most first, then the fewest.
    browser.click("th[data-key=runs] button");
    assert_eq!(page.rows()[0], "function_199");
    let sorted = "return document.querySelector('th[data-key=runs]').getAttribute('aria-sort')";
    assert_eq!(browser.text(sorted), "descending");
    browser.click("th[data-key=runs] button");
    assert_eq!((page.rows()[0].as_str(), browser.text(sorted).as_str()), ("function_000", "ascending"));
    // What is covered least first.
    browser.click("th[data-key=covered] button");
    assert_eq!(page.rows()[0], "function_001");

    let choose = |value: &str| {
        browser.run(&format!("const it = document.querySelector('#filter'); it.value = '{value}'; it.dispatchEvent(new Event('change'))"))
    };
    choose("open");
    assert_eq!(page.rows().len(), 50);
    choose("complete");
    assert_eq!(page.rows().len(), 100);
    choose("error");
    assert_eq!(page.rows().len(), 0);
    choose("");
    browser.click("#by-file");
    assert_eq!(browser.run("return document.querySelectorAll('tr.file').length"), json!(20));
    let sums = browser.text("return document.querySelector('tr.file').textContent");
    assert!(sums.starts_with("src/part_00.c10 functions493/500"), "{sums}");

    // `n` goes from one goal without a test to the next, through all functions, `p` back.
    let hash = "return decodeURIComponent(location.hash)";
    browser.press("n");
    assert_eq!(browser.text(hash), "#goal-function_001:24:0");
    browser.press("nn");
    assert_eq!(browser.text(hash), "#goal-function_005:24:0");
    browser.press("p");
    assert_eq!(browser.text(hash), "#goal-function_003:22:1");
    page.was_quiet();
}

#[test]
fn a_function_shows_its_source_verdicts_tables_and_pictures() {
    let page = shown(many::FUNCTIONS, 1280, true);
    let browser = &page.browser;
    browser.open(&format!("{}#fn-function_005", page.address));
    let source = browser.text("return document.querySelector('#unit .source').textContent");
    assert!(source.contains("int function_005(") && !source.contains("int function_006("), "{source}");
    assert!(source.contains("/* <script>alert(3)</script> */"), "the source as it is");

    // A click on a place tells its verdict: here one side is covered, the other open.
    browser.click("#unit .mark.open");
    let verdict = browser.text("return document.querySelector('.verdict').textContent");
    for part in [
        "src/part_00.c:177",
        "a[24] < b[24] is true",
        "✓ covered",
        "is false",
        "○ open",
        "budget",
        "give it more runs: -n",
    ] {
        assert!(verdict.contains(part), "no `{part}` in {verdict}");
    }
    // Never by colour alone.
    let sign = browser.text("return document.querySelector('.ln.open .side').textContent");
    assert_eq!(sign, "○ 1/2");
    let sides = browser.text("return document.querySelector('.mark.open').dataset.sides");
    assert_eq!(sides, "F ○");
    // To a test, and from the fault in the source to the fault.
    browser.click(".verdict a[href*='test_function_005_2']");
    assert!(page.visible("#unit [id='test-function_005:test_function_005_2']"));
    browser.click(".said a");
    assert!(page.visible(".finding[open] .story") && !page.visible("#unit"));

    browser.open(&format!("{}#fn-function_005", page.address));
    let wide = browser.run("return [...document.querySelectorAll('.truth tr')].map(row => new Set([...row.cells].map(cell => cell.offsetTop)).size)");
    assert_eq!(wide, json!(vec![1; 12]), "one line for each way of evaluating");

    // The tree is zoomed by buttons and keys, and told as text.
    let tree = "[...document.querySelectorAll('.picture.zoom svg')].at(-1)";
    let scale = || browser.run(&format!("return Number({tree}.dataset.scale)")).as_f64().expect("a number");
    let (before, boxes) = (scale(), browser.run(&format!("return {tree}.querySelectorAll('.box').length")));
    assert_eq!(boxes, json!(400));
    browser.click("#unit .picture.zoom button[title='Zoom in']");
    assert!(scale() > before);
    browser.run(&format!("{tree}.focus()"));
    browser.press("0");
    assert_eq!(scale(), 1.0);
    let told = browser.text("return document.querySelector('#unit .as-text pre').textContent");
    assert!(told.starts_with("line 153, a[0] < b[0]\n  true: line 153, a[0] < b[0]\n"), "{}", &told[..200]);
    assert!(
        browser
            .text("return document.querySelector('#paths + p').textContent")
            .contains("1000 further decisions")
    );

    // Who calls whom leads from function to function.
    assert_eq!(browser.run("return document.querySelectorAll('#calls a').length"), json!(7 * 20));
    browser.click(".crumbs a[href='#fn-function_006']");
    assert!(browser.text("return document.title").starts_with("function_006"));
    page.was_quiet();
}

#[test]
fn it_is_dark_on_request_narrow_and_on_paper() {
    let page = shown(5, 400, true);
    let browser = &page.browser;
    let width = browser.run("return [document.documentElement.scrollWidth, innerWidth]");
    assert!(width[0].as_u64() <= width[1].as_u64(), "nothing is wider than the screen: {width}");

    let paper = "return getComputedStyle(document.body).backgroundColor";
    let media = |features: Value| browser.command("Emulation.setEmulatedMedia", features);
    media(json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]}));
    assert_eq!(browser.text(paper), "rgb(15, 19, 24)");
    browser.press("d");
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)", "light, whatever the system says");
    browser.press("d");
    assert_eq!(browser.text(paper), "rgb(15, 19, 24)");
    // It is remembered.
    browser.open(&page.address);
    assert_eq!(browser.text("return document.querySelector('#theme').textContent"), "Theme: dark");

    // Paper is light, and has what is folded and every function.
    media(json!({"media": "print"}));
    assert_eq!(browser.text(paper), "rgb(255, 255, 255)");
    browser.run("window.told = []; window.addEventListener('beforeprint', () => told.push(document.querySelectorAll('#everything section.unit').length))");
    let printed = browser.print();
    assert!(printed.len() > 50_000, "{} bytes", printed.len());
    assert_eq!(browser.run("return told"), json!([5]));
    assert_eq!(browser.run("return document.querySelectorAll('#everything *').length"), json!(0));
    page.was_quiet();
}

#[test]
fn without_script_everything_essential_is_there() {
    let page = shown(20, 1280, false);
    let browser = &page.browser;
    browser.open(&format!("{}#fn-function_001", page.address));
    let text = browser.text("return document.body.innerText");
    for part in [
        "20\nfunctions",
        "Not covered (1)",
        "the runs ended with 7 untried ways",
        "→ give it more runs: -n",
        "test_function_019_8",
        "Bugs (2)",
    ] {
        let count = text.contains(part);
        assert!(count, "no `{part}`");
    }
    assert!(!page.visible(".tools") && !page.visible(".controls"), "no button that does nothing");
}
