//! ftrace text that is inside another file: pages of systrace, JSON of Chrome.

use crate::ftrace;
use crate::read::{Cx, Fault, Layout};

/// A page of systrace. Its lines of trace are as in a file; older pages have them in a text of JavaScript.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page;

impl Layout for Page {
    fn line(&mut self, line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
        let line = line.strip_suffix(b"\\n\\").unwrap_or(line);
        if !line.contains(&b'&') {
            return ftrace::read_line(line, cx);
        }
        let text = String::from_utf8_lossy(line);
        let plain = text.replace("&gt;", ">").replace("&lt;", "<");
        let plain = plain.replace("&quot;", "\"").replace("&amp;", "&");
        ftrace::read_line(plain.as_bytes(), cx)
    }
}

/// Where in a file of JSON the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// Before the text: so many characters of the field's name have come.
    #[default]
    Before,
    /// The name is there; a colon and a quote have to follow.
    Named,
    Inside,
    Escape,
    /// So many digits of `\u0041` have come.
    Unicode(u8),
    Behind,
}

/// The name of the field that has the text.
const FIELD: &[u8] = b"\"systemTraceEvents\"";

/// Takes the text out of `"systemTraceEvents": "…"`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Json {
    at: At,
    matched: usize,
    code: u32,
    text: Vec<u8>,
}

impl Json {
    /// The part of the text that is in this piece.
    pub(crate) fn push(&mut self, piece: &[u8]) -> &[u8] {
        self.text.clear();
        for &byte in piece {
            self.byte(byte);
        }
        &self.text
    }

    fn byte(&mut self, byte: u8) {
        match self.at {
            At::Before => {
                if byte == FIELD[self.matched] {
                    self.matched += 1;
                } else {
                    self.matched = usize::from(byte == FIELD[0]);
                }
                if self.matched == FIELD.len() {
                    (self.at, self.matched) = (At::Named, 0);
                }
            }
            At::Named => match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b':' => {}
                b'"' => self.at = At::Inside,
                _ => self.at = At::Before,
            },
            At::Inside => match byte {
                b'\\' => self.at = At::Escape,
                b'"' => self.at = At::Behind,
                _ => self.text.push(byte),
            },
            At::Escape => {
                self.at = At::Inside;
                match byte {
                    b'n' => self.text.push(b'\n'),
                    b't' => self.text.push(b'\t'),
                    b'r' => self.text.push(b'\r'),
                    b'b' | b'f' => self.text.push(b' '),
                    b'u' => (self.at, self.code) = (At::Unicode(0), 0),
                    _ => self.text.push(byte),
                }
            }
            At::Unicode(digits) => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0);
                self.code = self.code * 16 + digit;
                if digits < 3 {
                    self.at = At::Unicode(digits + 1);
                    return;
                }
                self.at = At::Inside;
                let c = char::from_u32(self.code).unwrap_or('?');
                self.text
                    .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            At::Behind => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_comes_out_of_json_wherever_it_is_cut() {
        let json = br#"{"traceEvents":[{"name":"systemTraceEvents"}], "systemTraceEvents" : "a\n\"b\"\t\u003d\u00e4\\c\/","x":"y"}"#;
        let expected = "a\n\"b\"\t=ä\\c/".as_bytes();
        for size in [1, 2, 5, 1000] {
            let (mut reader, mut text) = (Json::default(), Vec::new());
            for piece in json.chunks(size) {
                text.extend_from_slice(reader.push(piece));
            }
            assert_eq!(text, expected, "pieces of {size}");
        }
    }
}
