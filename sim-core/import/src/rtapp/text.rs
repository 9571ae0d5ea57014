//! The text of a program of rt-app. It is JSON with more freedom: comments, repeated keys whose order counts, trailing and
//! missing commas, and keys without a value (`"suspend",`).

use crate::error::ImportError;
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

/// How deep values may stand in each other.
const MAX_DEPTH: usize = 16;

/// A value, and the line on which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) line: u64,
    pub(super) is: Is,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Is {
    /// Keys with their values, in the order of the text; keys may repeat.
    Object(Vec<(String, Value)>),
    List(Vec<Value>),
    Text(String),
    /// A number as it is written.
    Number(String),
    Bool(bool),
    /// A key that has no value, or `null`.
    Nothing,
}

impl Value {
    /// The first value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// Keys with their values; none if it is no object.
    pub(super) fn entries(&self) -> &[(String, Self)] {
        match &self.is {
            Is::Object(entries) => entries,
            _ => &[],
        }
    }

    /// A whole number.
    pub(super) fn whole(&self) -> Option<i64> {
        match &self.is {
            Is::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.is {
            Is::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An error at this value.
    pub(super) fn wrong(&self, message: impl Into<String>) -> ImportError {
        on_line(self.line, message)
    }
}

fn on_line(line: u64, message: impl Into<String>) -> ImportError {
    let mut error = ImportError::new(message);
    error.line = Some(line);
    error
}

/// Reads the whole text.
pub(super) fn parse(text: &str) -> Result<Value, ImportError> {
    let mut reader = Reader {
        scanner: Scanner::new(text, &ScannerOptions::default()),
        counted: 0,
        line: 1,
        next: None,
    };
    reader.step()?;
    let value = reader.value(0)?;
    if reader.next.is_some() {
        return Err(reader.wrong("the program ends before this"));
    }
    Ok(value)
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    /// Up to this byte lines were counted.
    counted: usize,
    line: u64,
    /// The token to be read next, without comments.
    next: Option<Token<'a>>,
}

impl<'a> Reader<'a> {
    fn wrong(&self, message: impl Into<String>) -> ImportError {
        on_line(self.line, message)
    }

    /// Goes on by one token, and returns the one that was next.
    fn step(&mut self) -> Result<Option<Token<'a>>, ImportError> {
        loop {
            let token = self
                .scanner
                .scan()
                .map_err(|e| on_line(e.line_display() as u64, e.kind().to_string()))?;
            let at = self.scanner.token_start();
            let text = self.scanner.file_text().as_bytes();
            let passed = &text[self.counted..at.max(self.counted)];
            self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
            self.counted = self.counted.max(at);
            if !matches!(token, Some(Token::CommentLine(_) | Token::CommentBlock(_))) {
                return Ok(std::mem::replace(&mut self.next, token));
            }
        }
    }

    fn skip_comma(&mut self) -> Result<(), ImportError> {
        while self.next == Some(Token::Comma) {
            self.step()?;
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, ImportError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong(format!(
                "values stand in each other at most {MAX_DEPTH} deep"
            )));
        }
        let line = self.line;
        let is = match self.step()? {
            Some(Token::OpenBrace) => self.object(depth)?,
            Some(Token::OpenBracket) => self.list(depth)?,
            Some(Token::String(text)) => Is::Text(text.into_owned()),
            Some(Token::Number(text)) => Is::Number(text.to_owned()),
            Some(Token::Boolean(yes)) => Is::Bool(yes),
            Some(Token::Null) => Is::Nothing,
            Some(other) => {
                let told = format!("`{}` stands where a value is expected", other.as_str());
                return Err(on_line(line, told));
            }
            None => return Err(self.wrong("the program ends where a value is expected")),
        };
        Ok(Value { line, is })
    }

    fn object(&mut self, depth: usize) -> Result<Is, ImportError> {
        let mut entries = Vec::new();
        loop {
            self.skip_comma()?;
            let line = self.line;
            let key = match self.step()? {
                Some(Token::CloseBrace) => return Ok(Is::Object(entries)),
                Some(Token::String(key)) => key.into_owned(),
                Some(other) => {
                    let told = format!(
                        "`{}` stands where a key in quotes is expected",
                        other.as_str()
                    );
                    return Err(on_line(line, told));
                }
                None => return Err(self.wrong("a `{` has no `}`")),
            };
            let value = if self.next == Some(Token::Colon) {
                self.step()?;
                self.value(depth + 1)?
            } else if matches!(self.next, Some(Token::Comma | Token::CloseBrace)) {
                Value {
                    line,
                    is: Is::Nothing,
                }
            } else {
                return Err(self.wrong(format!("the key \"{key}\" needs a `:` and a value")));
            };
            entries.push((key, value));
        }
    }

    fn list(&mut self, depth: usize) -> Result<Is, ImportError> {
        let mut values = Vec::new();
        loop {
            self.skip_comma()?;
            match self.next {
                Some(Token::CloseBracket) => {
                    self.step()?;
                    return Ok(Is::List(values));
                }
                None => return Err(self.wrong("a `[` has no `]`")),
                _ => values.push(self.value(depth + 1)?),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_keys_comments_and_omitted_values_are_read_in_order() {
        let text = "{ // one\n \"run\": 5, /* two */ \"suspend\",\n\"run\" : -7 \"cpus\":[0 1,],}";
        let value = parse(text).expect("read");
        let keys: Vec<_> = value
            .entries()
            .iter()
            .map(|(key, value)| (key.as_str(), value.line, value.whole()))
            .collect();
        let expected = [
            ("run", 2, Some(5)),
            ("suspend", 2, None),
            ("run", 3, Some(-7)),
            ("cpus", 3, None),
        ];
        assert_eq!(keys, expected);
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        for (text, line, told) in [
            ("{\n\"run\" 5}", 2, "the key \"run\" needs a `:`"),
            ("{\n\"run\": ,\n}", 2, "`,` stands where a value"),
            ("{\"a\": 1\n", 2, "a `{` has no `}`"),
            ("{}\n{}", 2, "ends before this"),
            ("{\n5: 1}", 2, "a key in quotes"),
            ("{\n\n\"run: 5}", 3, "string"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.message.contains(told), "{text}: {error}");
            assert_eq!(error.line, Some(line), "{text}: {error}");
        }
        let deep = "[".repeat(40);
        assert!(parse(&deep).expect_err("deep").message.contains("16 deep"));
    }
}
