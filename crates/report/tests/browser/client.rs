//! A browser without a window, driven over WebDriver.
//!
//! Takes addresses and scripts; gives what they return, what the console said and what was asked of the network. It ends with
//! its value. Never: waiting for a time to pass.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// No answer comes later than this; a browser that hangs must not hang the tests.
const LONGEST: Duration = Duration::from_secs(120);

/// A browser with one tab.
pub struct Browser {
    driver: Child,
    /// Kept open: it must be able to say more.
    _said: BufReader<ChildStdout>,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one with a tab of this width, in which pages may or may not run scripts.
    pub fn new(width: u32, scripts: bool) -> Browser {
        let missing = "these tests look at the page in a browser: install chromium and chromium-driver (scripts/setup test)";
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let mut driver = driver.unwrap_or_else(|error| panic!("chromedriver: {error}; {missing}"));
        let mut said = BufReader::new(driver.stdout.take().expect("its output"));
        let started = |line: String| {
            line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
        };
        let port = said
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(started)
            .expect("chromedriver says its port");
        let profile = tempfile::tempdir().expect("a folder");
        let mut browser = Browser { driver, _said: said, port, session: String::new(), _profile: profile };
        let arguments = [
            "--headless=new".to_string(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-quic".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            format!("--window-size={width},900"),
            format!("--user-data-dir={}", browser._profile.path().display()),
        ];
        let allowed = if scripts { 1 } else { 2 };
        let preferences = json!({"profile": {"default_content_setting_values": {"javascript": allowed}}});
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments, "prefs": preferences},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let answer =
            browser.ask("POST", "/session", &wanted).unwrap_or_else(|error| panic!("{error}; {missing}"));
        browser.session = format!("/session/{}", answer["sessionId"].as_str().expect("a session"));
        browser
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.tell("/url", json!({ "url": address }));
    }

    /// What a script returns.
    pub fn run(&self, script: &str) -> Value {
        self.tell("/execute/sync", json!({"script": script, "args": []}))
    }

    /// What a script returns, as text.
    pub fn text(&self, script: &str) -> String {
        self.run(script).as_str().map(ToString::to_string).unwrap_or_default()
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub fn press(&self, keys: &str) {
        let press =
            |key: char| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let actions: Vec<Value> = keys.chars().flat_map(press).collect();
        self.tell("/actions", json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Clicks what a selector finds first, in the middle of the screen, where nothing lies over it.
    pub fn click(&self, selector: &str) {
        self.run(&format!("document.querySelector({selector:?}).scrollIntoView({{block: 'center'}})"));
        let found = self.tell("/element", json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str);
        self.tell(&format!("/element/{}/click", id.expect("an element")), json!({}));
    }

    /// A command of the browser's own protocol.
    pub fn command(&self, name: &str, parameters: Value) -> Value {
        self.tell("/goog/cdp/execute", json!({"cmd": name, "params": parameters}))
    }

    /// Prints the page; gives the paper's bytes, coded as text.
    pub fn print(&self) -> String {
        self.tell("/print", json!({})).as_str().expect("a document").to_string()
    }

    /// What the console said.
    pub fn console(&self) -> Vec<String> {
        self.log("browser").iter().map(Value::to_string).collect()
    }

    /// Every address that pages from disk have asked for; the browser's own empty tab is none.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.log("performance");
        let events = entries.iter().filter_map(|entry| serde_json::from_str(entry["message"].as_str()?).ok());
        let sent = events.filter(|event: &Value| event["message"]["method"] == "Network.requestWillBeSent");
        let asked = sent.map(|event| event["message"]["params"].clone());
        let by_page = |asked: &Value| asked["documentURL"].as_str().is_some_and(|by| by.starts_with("file:"));
        asked.filter(by_page).map(|asked| asked["request"]["url"].to_string()).collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        self.tell("/se/log", json!({ "type": kind })).as_array().cloned().unwrap_or_default()
    }

    fn tell(&self, path: &str, body: Value) -> Value {
        let path = format!("{}{path}", self.session);
        self.ask("POST", &path, &body).unwrap_or_else(|error| panic!("{path}: {error}\n{body}"))
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed)?;
        stream.set_read_timeout(Some(LONGEST)).map_err(failed)?;
        let body = body.to_string();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).map_err(failed)?;
        // The driver may keep the connection, so its end is no end of the answer.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).map_err(failed)?;
            let field = line.trim_end().split_once(':');
            if let Some((_, said)) = field.filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
                length = said.trim().parse().map_err(|_| format!("a length: {said}"))?;
            }
            if line.trim_end().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).map_err(failed)?;
        let value: Value = serde_json::from_slice(&body).map_err(|error| error.to_string())?;
        match value["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", value["value"]["message"])),
            None => Ok(value["value"].clone()),
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.ask("DELETE", &self.session, &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
