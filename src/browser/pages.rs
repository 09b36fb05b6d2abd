//! The program of all other pages: the parts that they have, and no more.

#[cfg(target_arch = "wasm32")]
fn main() {
    crossover::browser::start(crossover::browser::Program::PAGES);
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("this program runs in the browser; the command line is `crossover`");
}
