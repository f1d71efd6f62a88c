//! Tokens as people write them.

/// `Result < Order , Error >` as `Result<Order, Error>`.
pub(crate) fn compact(tokens: &str) -> String {
    let mut text = String::new();
    for word in tokens.split_whitespace() {
        if needs_space(&text, word) {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

fn needs_space(before: &str, next: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (Some(last), Some(first)) = (before.chars().next_back(), next.chars().next()) else { return false };
    let between_words = is_word(last) && (is_word(first) || matches!(first, '\'' | '&'));
    let operator = |text: &str| text.ends_with("->") || matches!(text, "+" | "=" | "*" | "/" | "|");
    let last_word = before.rsplit(is_word).next().unwrap_or_default();
    between_words
        || matches!(last, ',' | ';')
        || operator(next)
        || operator(last_word.trim())
        || (last == '>' && is_word(first))
}

#[cfg(test)]
mod tests {
    use super::compact;

    #[test]
    fn types_and_expressions_read_as_they_were_written() {
        for (tokens, text) in [
            ("Result < Order , Error >", "Result<Order, Error>"),
            (
                "Result < () , Box < dyn std :: error :: Error + Send > >",
                "Result<(), Box<dyn std::error::Error + Send>>",
            ),
            ("anyhow :: Result < & 'static str >", "anyhow::Result<&'static str>"),
            ("Result < Vec < u8 > , E >", "Result<Vec<u8>, E>"),
            ("Duration :: from_secs (60 * 60)", "Duration::from_secs(60 * 60)"),
            ("settings . retention", "settings.retention"),
            ("Result < [u8 ; 4] , E >", "Result<[u8; 4], E>"),
        ] {
            assert_eq!(compact(tokens), text);
        }
    }
}
