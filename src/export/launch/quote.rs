//! The filters through which a text gets into a file, one per language, and the rule that it gets there by no other way.

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State};

/// Adds the filters, and forbids what is not filtered.
pub fn install(env: &mut Environment) {
    env.add_filter("shell", |text: &str| shell(text).map(Value::from_safe_string));
    env.add_filter("yaml", |text: &str| Value::from_safe_string(escaped(text)));
    env.add_filter("python", |text: &str| Value::from_safe_string(escaped(text)));
    env.add_filter("argument", |text: &str| Value::from_safe_string(escaped(&text.replace('$', "$$"))));
    env.add_filter("plain", |text: &str| plain(text).map(Value::from_safe_string));
    env.add_filter("block", block);
    // What a macro has put together of quoted parts counts as quoted.
    env.set_auto_escape_callback(|_| AutoEscape::Custom("quoted".into()));
    env.set_formatter(only_quoted);
}

/// Numbers and what a filter has quoted; any other value is an error in the template.
fn only_quoted(out: &mut Output, _: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_number() || value.is_safe() {
        return write!(out, "{value}").map_err(|_| Error::new(ErrorKind::WriteFailure, "cannot write"));
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("a text must pass a quoting filter: {value:?}")))
}

/// One word for a POSIX shell.
fn shell(text: &str) -> Result<String, Error> {
    shlex::try_quote(text).map(Into::into).map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
}

/// A double-quoted string in ASCII that YAML and Python both read as this text. JSON's escapes are valid in both; beyond ASCII, JSON's
/// pairs of surrogates are not, so `\U` is used, which JSON has not. (Left as they are, U+0085 and U+2028 would be line breaks in YAML.)
pub(super) fn escaped(text: &str) -> String {
    let json = Value::from(text);
    let json = serde_json::to_string(&json).unwrap_or_default(); // a string always serializes
    let mut quoted = String::with_capacity(json.len());
    for c in json.chars() {
        match u32::from(c) {
            0x20..=0x7e => quoted.push(c),
            code => quoted.push_str(&format!("\\U{code:08x}")),
        }
    }
    quoted
}

/// A word that needs no quotes anywhere; anything else is an error. For what this program made itself: labels, times, versions.
fn plain(text: &str) -> Result<String, Error> {
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/".contains(c)) {
        return Ok(text.to_string());
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("not a plain word: {text:?}")))
}

/// One of this program's own files as the lines of a YAML block literal (`|`), indented by so many columns.
fn block(text: &str, columns: usize) -> Result<Value, Error> {
    if !text.chars().all(|c| c == '\n' || (' '..='~').contains(&c)) || text.starts_with([' ', '\n']) {
        return Err(Error::new(ErrorKind::InvalidOperation, "a block literal must be printable ASCII and begin with a letter"));
    }
    let indent = " ".repeat(columns);
    let lines: Vec<String> = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") }).collect();
    Ok(Value::from_safe_string(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    fn rendered(source: &str, text: &str) -> Result<String, Error> {
        let mut env = Environment::new();
        install(&mut env);
        env.render_str(source, context! { text })
    }

    #[test]
    fn a_text_without_a_filter_does_not_render() {
        assert!(rendered("{{ text }}", "harmless").is_err());
        assert!(rendered("{{ text | trim }}", "harmless").is_err());
        assert!(rendered("{{ [text] }}", "harmless").is_err());
        assert!(rendered("{{ nothing }}", "harmless").is_err());
        assert_eq!(rendered("{{ text | length }}", "harmless").unwrap(), "8");
    }

    #[test]
    fn each_language_has_its_own_quotes() {
        assert_eq!(rendered("{{ text | shell }}", "a $(b) 'c'").unwrap(), r#"'a $(b) '"'c'""#);
        assert_eq!(
            rendered("{{ text | yaml }}", "a\n\"b\" \u{2028}\u{1f600}\u{7f}").unwrap(),
            r#""a\n\"b\" \U00002028\U0001f600\U0000007f""#
        );
        assert_eq!(rendered("{{ text | argument }}", "$(A) $$").unwrap(), r#""$$(A) $$$$""#);
        assert!(rendered("{{ text | plain }}", "a b").is_err());
        assert!(rendered("{{ text | shell }}", "a\0b").is_err());
    }
}
