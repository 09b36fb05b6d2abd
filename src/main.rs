//! The command line. The programs of the site are `browser/pages.rs` and `browser/calculator.rs`.

fn main() -> std::process::ExitCode {
    crossover::cli::run(std::env::args_os())
}
