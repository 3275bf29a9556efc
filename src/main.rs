//! The command that runs links.

mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
