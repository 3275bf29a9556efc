//! Sets up, builds, serves, tests, benches: `cargo xtask` without a word says how.

mod bench;
mod build;
mod http;
mod offline;
mod serve;
mod setup;
mod shell;
mod simpy;
mod single;
mod site;
mod test;

use anyhow::{Result, bail};
use build::Profile;
use test::Part;

const USAGE: &str = "\
cargo xtask <command>

  serve [--port N] [--dev]   build the page, serve it on this machine only, build again at every change
  build [--dev]              write dist/, ready for any static host and any path on it
        [--single-file]      beside it dist/tail-lab.html, the page in one file that opens from a disk
  test [--native|--browser]  everything that must pass, or the part outside or inside the browser
  bench                      measure the download, the page and the kernels, compare with their budgets

--dev builds quickly and keeps debug information; without it the page is as fast as it gets.
What a command needs and does not find (the wasm target, Node, npm packages, Chromium) it installs,
or it says how to.";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Err(problem) = run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        eprintln!("xtask: {problem:#}");
        std::process::exit(1);
    }
}

fn run(words: &[&str]) -> Result<()> {
    let Some((&command, options)) = words.split_first() else {
        println!("{USAGE}");
        return Ok(());
    };
    match command {
        "build" => {
            let options = Options::parse(command, options, &["--dev", "--single-file"])?;
            setup::wasm_target()?;
            build::build(options.profile(), options.single_file)
        }
        "serve" => {
            let options = Options::parse(command, options, &["--dev", "--port"])?;
            setup::wasm_target()?;
            serve::serve(options.port, options.profile())
        }
        "test" => match options {
            [] => test::test(Part::All),
            ["--native"] => test::test(Part::Native),
            ["--browser"] => test::test(Part::Browser),
            _ => bail!("`test` takes --native or --browser or nothing"),
        },
        "bench" if options.is_empty() => bench::bench(),
        "bench" => bail!("`bench` takes nothing"),
        "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("there is no command `{command}`\n\n{USAGE}"),
    }
}

/// What may stand behind a command; each command takes some of it.
#[derive(Default)]
struct Options {
    dev: bool,
    single_file: bool,
    port: Option<u16>,
}

impl Options {
    fn parse(command: &str, words: &[&str], taken: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let (name, attached) =
                word.split_once('=').map_or((word, None), |(name, it)| (name, Some(it)));
            if !taken.contains(&name) {
                bail!("`{command}` does not take `{word}`\n\n{USAGE}");
            }
            match name {
                "--port" => {
                    let Some(port) =
                        attached.or_else(|| words.next().copied()).and_then(|it| it.parse().ok())
                    else {
                        bail!("--port needs a number from 0 to 65535");
                    };
                    options.port = Some(port);
                }
                "--single-file" => options.single_file = true,
                _ => options.dev = true,
            }
        }
        Ok(options)
    }

    fn profile(&self) -> Profile {
        if self.dev { Profile::Dev } else { Profile::Release }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options =
            Options::parse("serve", &["--port", "9000", "--dev"], &["--dev", "--port"]).unwrap();
        assert_eq!((options.port, options.dev), (Some(9000), true));
        let options =
            Options::parse("build", &["--single-file"], &["--dev", "--single-file"]).unwrap();
        assert_eq!((options.single_file, options.dev), (true, false));
        assert_eq!(Options::parse("serve", &["--port=0"], &["--port"]).unwrap().port, Some(0));
    }

    #[test]
    fn what_a_command_does_not_take_is_refused() {
        for words in [&["--port", "9000"][..], &["fast"], &["--dev", "--dve"]] {
            assert!(Options::parse("build", words, &["--dev"]).is_err(), "{words:?}");
        }
        for words in [&["--port"][..], &["--port", "many"], &["--port=70000"]] {
            assert!(Options::parse("serve", words, &["--port"]).is_err(), "{words:?}");
        }
    }
}
