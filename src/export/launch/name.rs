//! A free text as the name of a job, where the engine allows few characters.

/// Letters that a job's name may have: with what the manifests and the controllers append (`-checkpoints`, an index, a hash) it stays below
/// the 63 of a DNS label.
const LONGEST: usize = 40;

/// What a name becomes of which nothing is left.
const NAMELESS: &str = "training";

/// A label after RFC 1035 (and so RFC 1123), as Kubernetes asks of Services: small letters, digits and hyphens, beginning with a letter and
/// ending with none of the hyphens. Whatever is not a letter or digit of ASCII becomes one hyphen.
pub fn label(text: &str) -> String {
    let mut label = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() && (c.is_ascii_alphabetic() || !label.is_empty()) {
            label.push(c);
        } else if !label.is_empty() && !label.ends_with('-') {
            label.push('-');
        }
    }
    label.truncate(LONGEST);
    let label = label.trim_end_matches('-');
    if label.is_empty() { NAMELESS } else { label }.to_string()
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn a_name_becomes_a_dns_label() {
        assert_eq!(label("Llama-3 70B, run 2"), "llama-3-70b-run-2");
        assert_eq!(label("\"; rm -rf /; echo \""), "rm-rf-echo");
        assert_eq!(label("7B"), "b");
        assert_eq!(label("äöü 你好"), "training");
        assert_eq!(label(&"a-".repeat(60)).len(), 39);
        assert_eq!(label("K\u{212a}"), "kk", "the Kelvin sign's small letter is ASCII");
    }
}
