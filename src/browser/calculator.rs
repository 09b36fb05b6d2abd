//! The program of the calculator page: every living part.

#[cfg(target_arch = "wasm32")]
fn main() {
    crossover::browser::start(crossover::browser::Program::CALCULATOR);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("this program runs in the browser; the command line is `crossover`");
}
