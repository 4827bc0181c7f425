//! Command lines to words.

/// Splits a command line as a shell does: at blanks, except within '…' and "…" and behind a backslash. Nothing else is special.
///
/// `None` when a quote is not closed or nothing is there.
pub(super) fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(char) = chars.next() {
        match (char, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().push(chars.next()?),
            (char, Some(open)) if char == open => quote = None,
            (char, Some(_)) => word.get_or_insert_default().push(char),
            ('\'' | '"', None) => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (char, None) if char.is_whitespace() => words.extend(word.take()),
            (char, None) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        let words = |line| split(line).unwrap();
        assert_eq!(words(" gnugo  --mode gtp "), ["gnugo", "--mode", "gtp"]);
        assert_eq!(
            words(r#"sh -c 'echo "a b"' "x\"y" z\ w """#),
            ["sh", "-c", "echo \"a b\"", "x\"y", "z w", ""]
        );
    }

    #[test]
    fn open_quotes_and_empty_lines_are_refused() {
        for line in ["", "  ", "a 'b", "a \"b", "a\\"] {
            assert_eq!(split(line), None, "{line}");
        }
    }
}
