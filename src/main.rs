//! In the browser: mount. Elsewhere: the command line.

#[cfg(target_arch = "wasm32")]
fn main() {
    crossover::browser::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    crossover::cli::run(std::env::args_os())
}
