//! Pieces of a file as whole lines. A line that ends in a later piece is kept until then.

/// Longest line. What comes after it within the line is left out: no line about scheduling is that long.
const LONGEST: usize = 64 << 10;

/// Cuts pieces into lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    /// The beginning of a line whose end has not come yet.
    begun: Vec<u8>,
    /// Lines so far.
    number: u64,
}

impl Lines {
    /// Calls `each` with number and text of every line that ends in this piece, without its end.
    pub(crate) fn push<E>(
        &mut self,
        mut piece: &[u8],
        mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        while let Some(end) = memchr::memchr(b'\n', piece) {
            let line = &piece[..end];
            piece = &piece[end + 1..];
            self.number += 1;
            if self.begun.is_empty() {
                each(self.number, clean(&line[..line.len().min(LONGEST)]))?;
            } else {
                self.keep(line);
                let begun = std::mem::take(&mut self.begun);
                each(self.number, clean(&begun))?;
                // Its room serves the next one.
                self.begun = begun;
                self.begun.clear();
            }
        }
        self.keep(piece);
        Ok(())
    }

    /// The last line, if it has no end.
    pub(crate) fn rest(&mut self) -> Option<(u64, Vec<u8>)> {
        if self.begun.is_empty() {
            return None;
        }
        self.number += 1;
        Some((
            self.number,
            clean(&std::mem::take(&mut self.begun)).to_vec(),
        ))
    }

    fn keep(&mut self, part: &[u8]) {
        let room = LONGEST - self.begun.len().min(LONGEST);
        self.begun.extend_from_slice(&part[..part.len().min(room)]);
    }
}

/// Without the carriage return of files that were edited elsewhere.
fn clean(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(u64, String)> {
        let (mut lines, mut all) = (Lines::default(), Vec::new());
        for piece in pieces {
            let done: Result<(), ()> = lines.push(piece, |n, line| {
                all.push((n, String::from_utf8_lossy(line).into_owned()));
                Ok(())
            });
            done.unwrap();
        }
        let rest = lines.rest();
        all.extend(rest.map(|(n, line)| (n, String::from_utf8_lossy(&line).into_owned())));
        all
    }

    #[test]
    fn cuts_do_not_matter() {
        let text = b"one\r\ntwo\n\nfour";
        let whole = lines(&[text]);
        assert_eq!(whole.len(), 4);
        assert_eq!(whole[0], (1, "one".to_owned()));
        assert_eq!(whole[3], (4, "four".to_owned()));
        for at in 0..text.len() {
            assert_eq!(lines(&[&text[..at], &text[at..]]), whole, "cut at {at}");
        }
    }

    #[test]
    fn a_line_without_end_takes_little_memory() {
        let piece = vec![b'x'; 1 << 20];
        let mut lines = Lines::default();
        for _ in 0..4 {
            lines.push(&piece, |_, _| Err(())).unwrap();
        }
        assert_eq!(lines.begun.len(), LONGEST);
    }
}
