//! The lines of values in a JSON text.

use std::collections::BTreeMap;

/// Lines of the values of a text by their paths (`steps[3].answer.options[0]`), from 1. A text that is not JSON gives
/// the values that were read before the error.
#[must_use]
pub(super) fn lines(text: &str) -> BTreeMap<String, usize> {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        found: BTreeMap::new(),
    };
    reader.value("");
    reader.found
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    found: BTreeMap<String, usize>,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.get(self.at).copied()?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// The next character that is not a space; it is not consumed.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
        self.chars.get(self.at).copied()
    }

    fn value(&mut self, path: &str) -> Option<()> {
        let first = self.peek()?;
        self.found.insert(path.to_owned(), self.line);
        match first {
            '{' => self.members(|reader, _| {
                let key = reader.string()?;
                reader.peek().filter(|c| *c == ':')?;
                reader.next();
                Some(if path.is_empty() {
                    key
                } else {
                    format!("{path}.{key}")
                })
            }),
            '[' => self.members(|_, i| Some(format!("{path}[{i}]"))),
            '"' => self.string().map(|_| ()),
            _ => {
                let is_part = |c: &char| !matches!(c, ',' | ']' | '}') && !c.is_whitespace();
                while self.chars.get(self.at).is_some_and(is_part) {
                    self.next();
                }
                Some(())
            }
        }
    }

    /// The members between brackets; `name` gives the path of each value.
    fn members(&mut self, name: impl Fn(&mut Self, usize) -> Option<String>) -> Option<()> {
        self.next();
        for i in 0.. {
            if matches!(self.peek()?, ']' | '}') {
                break;
            }
            if i > 0 {
                self.next();
                self.peek()?;
            }
            let path = name(self, i)?;
            self.value(&path)?;
        }
        self.next();
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        self.peek().filter(|c| *c == '"')?;
        self.next();
        let mut text = String::new();
        loop {
            match self.next()? {
                '"' => return Some(text),
                '\\' => text.extend(self.next()),
                c => text.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_on_their_lines() {
        let text = "{\n \"a\": [1,\n {\"b\\\"\": true}],\n \"c\": \"x\"}";
        let found = lines(text);
        for (path, line) in [
            ("", 1),
            ("a", 2),
            ("a[0]", 2),
            ("a[1]", 3),
            ("a[1].b\"", 3),
            ("c", 4),
        ] {
            assert_eq!(found.get(path), Some(&line), "{path}");
        }
        assert!(lines("{\"a\": [").len() < 3);
        assert!(lines("]]}{,").len() < 3);
    }
}
