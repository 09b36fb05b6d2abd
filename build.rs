//! Reads `data/` and `content/`, checks every row, fails with file and line, and emits constants.

#[path = "build/catalog.rs"]
mod catalog;
#[path = "build/content.rs"]
mod content;
#[path = "build/embedding.rs"]
mod embedding;
#[path = "build/markdown.rs"]
mod markdown;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// A fault in a file, for a person to mend.
pub struct Fault(String);

impl Fault {
    /// A fault at `line` of `file`.
    pub fn at(file: &Path, line: u64, what: impl std::fmt::Display) -> Fault {
        Fault(format!("{}:{line}: {what}", file.display()))
    }

    /// A fault of the whole of `file`.
    pub fn of(file: &Path, what: impl std::fmt::Display) -> Fault {
        Fault(format!("{}: {what}", file.display()))
    }
}

/// The text of `file`; cargo runs this script again when it changes.
pub fn read(file: &Path) -> Result<String, Fault> {
    println!("cargo:rerun-if-changed={}", file.display());
    fs::read_to_string(file).map_err(|error| Fault::of(file, error))
}

fn write(out: &Path, name: &str, text: String) -> Result<(), Fault> {
    let file = out.join(name);
    fs::write(&file, text).map_err(|error| Fault::of(&file, error))
}

fn run() -> Result<(), Fault> {
    // Cargo always sets it for build scripts; without it there is nowhere to write.
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| Fault("OUT_DIR is not set: run by cargo".into()))?);
    for folder in ["build", "data", "content"] {
        println!("cargo:rerun-if-changed={folder}");
    }
    write(&out, "catalog.rs", catalog::emit(Path::new("data"))?)?;
    write(&out, "content.rs", content::emit(Path::new("content"))?)
}

fn main() {
    if let Err(Fault(what)) = run() {
        eprintln!("error: {what}");
        process::exit(1);
    }
}
