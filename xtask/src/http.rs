//! Just enough of HTTP to show a static site on the developer's own machine.
//!
//! The site is held in memory and asked by exact name: no path, however spelled, can reach a file outside it.

use crate::site::Files;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, RwLock};
use std::thread;
use std::time::Duration;

/// The site being served; another can be put in its place at any time.
#[derive(Clone, Default)]
pub(crate) struct Shelf(Arc<RwLock<Arc<Files>>>);

impl Shelf {
    pub(crate) fn put(&self, site: Files) {
        *self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::new(site);
    }

    fn site(&self) -> Arc<Files> {
        Arc::clone(&self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// Answers from a fixed number of threads, for as long as the program runs.
pub(crate) fn serve(listener: &TcpListener, shelf: &Shelf) -> io::Result<()> {
    const THREADS: usize = 16;
    for _ in 0..THREADS {
        let listener = listener.try_clone()?;
        let shelf = shelf.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A visitor who went away is no reason to stop.
                let _ = converse(stream, &shelf);
            }
        });
    }
    Ok(())
}

/// One request and its answer.
fn converse(mut stream: TcpStream, shelf: &Shelf) -> io::Result<()> {
    // Browsers open connections in advance; one that stays silent must not hold its thread for long.
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let Some(head) = read_head(&mut stream)? else { return Ok(()) };
    let site = shelf.site();
    let answer = answer(&head, &site);
    stream.write_all(answer.head().as_bytes())?;
    stream.write_all(answer.sent())
}

/// Everything up to the empty line, or nothing if the visitor said nothing or will not end.
fn read_head(stream: &mut TcpStream) -> io::Result<Option<String>> {
    const LIMIT: usize = 16 * 1024;
    let mut head = Vec::new();
    let mut piece = [0; 4096];
    while !head.windows(4).any(|it| it == b"\r\n\r\n") {
        let count = stream.read(&mut piece)?;
        if count == 0 || LIMIT < head.len() {
            return Ok(None);
        }
        head.extend_from_slice(&piece[..count]);
    }
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

struct Answer<'a> {
    status: &'static str,
    kind: &'static str,
    body: &'a [u8],
    /// A HEAD request is told the length and sent nothing.
    head_only: bool,
}

impl Answer<'_> {
    fn head(&self) -> String {
        let Self { status, kind, body, .. } = self;
        let allow = if status.starts_with("405") { "Allow: GET, HEAD\r\n" } else { "" };
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{allow}\
             Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        )
    }

    fn sent(&self) -> &[u8] {
        if self.head_only { &[] } else { self.body }
    }
}

fn answer<'a>(head: &str, site: &'a Files) -> Answer<'a> {
    let refuse = |status, body: &'static str| Answer {
        status,
        kind: "text/plain; charset=utf-8",
        body: body.as_bytes(),
        head_only: head.starts_with("HEAD "),
    };
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return refuse("400 Bad Request", "This is not a request.\n");
    };
    if method != "GET" && method != "HEAD" {
        return refuse("405 Method Not Allowed", "Only GET and HEAD.\n");
    }
    match file(target).and_then(|it| site.get_key_value(&it)) {
        Some((path, body)) => {
            Answer { status: "200 OK", kind: kind(path), body, head_only: method == "HEAD" }
        }
        None => refuse("404 Not Found", "There is no such file.\n"),
    }
}

/// The name of the file a request asks for; what follows `?` or `#` does not matter, a folder means its index.
fn file(target: &str) -> Option<String> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    Some(if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.to_owned()
    })
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, it)| it) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "md" | "txt" => "text/plain; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Shutdown;

    fn site() -> Files {
        let files =
            [("index.html", "page"), ("lessons/index.html", "lessons"), ("a.wasm", "\0asm")];
        files.into_iter().map(|(path, content)| (path.into(), content.into())).collect()
    }

    #[track_caller]
    fn check(request: &str, status: &str, sent: &str) {
        let site = site();
        let answer = answer(&format!("{request}\r\nHost: here\r\n\r\n"), &site);
        assert_eq!((answer.status, answer.sent()), (status, sent.as_bytes()), "{request}");
    }

    #[test]
    fn files_and_folders_are_found() {
        check("GET / HTTP/1.1", "200 OK", "page");
        check("GET /?study=1#top HTTP/1.1", "200 OK", "page");
        check("GET /lessons/ HTTP/1.0", "200 OK", "lessons");
        check("GET /a.wasm HTTP/1.1", "200 OK", "\0asm");
    }

    #[test]
    fn what_is_not_in_the_site_is_not_found() {
        let missing = "There is no such file.\n";
        for target in [
            "/gone",
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//etc/passwd",
            "/lessons/../index.html",
            "/./",
            "/lessons",
        ] {
            check(&format!("GET {target} HTTP/1.1"), "404 Not Found", missing);
        }
        check("GET index.html HTTP/1.1", "404 Not Found", missing);
    }

    #[test]
    fn other_requests_are_refused() {
        check("POST / HTTP/1.1", "405 Method Not Allowed", "Only GET and HEAD.\n");
        for request in ["", "GET", "GET /", "GET / HTTP/2", "GET / HTTP/1.1 more"] {
            check(request, "400 Bad Request", "This is not a request.\n");
        }
    }

    #[test]
    fn head_tells_the_length_and_sends_nothing() {
        let site = site();
        for (target, length) in [("/", 4), ("/gone", 23)] {
            let answer = answer(&format!("HEAD {target} HTTP/1.1\r\n\r\n"), &site);
            assert!(
                answer.head().contains(&format!("\r\nContent-Length: {length}\r\n")),
                "{}",
                answer.head()
            );
            assert!(answer.sent().is_empty());
        }
    }

    #[test]
    fn kinds_are_those_a_browser_insists_on() {
        assert_eq!(kind("a/b.c.js"), "text/javascript; charset=utf-8");
        assert_eq!(kind("tail-lab-0.wasm"), "application/wasm");
        assert_eq!(kind("manifest.webmanifest"), "application/manifest+json");
        assert_eq!(kind("LICENSE"), "application/octet-stream");
    }

    #[test]
    fn a_new_site_takes_the_place_of_the_old_while_serving() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let shelf = Shelf::default();
        serve(&listener, &shelf).unwrap();
        let get = || {
            let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer.split_once("\r\n\r\n").unwrap().1.to_owned()
        };
        assert_eq!(get(), "There is no such file.\n");
        shelf.put(site());
        assert_eq!(get(), "page");
    }
}
