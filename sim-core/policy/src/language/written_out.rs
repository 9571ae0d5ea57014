//! A program whose statements like `x *= 2` are written out, so that the operators of this laboratory look before they act:
//! the language lets nobody replace the ones in such statements. And the way back: each place in that text stands for one in
//! the program of the user.

use starlark::codemap::{CodeMap, FileSpan, Pos, ResolvedPos, Span};
use starlark_syntax::syntax::ast::{AssignOp, AssignTargetP, AstAssignTargetP, AstExprP};
use starlark_syntax::syntax::ast::{AstLiteral, AstPayload, ExprP};

/// The name of the look at what `+=` made larger in place.
pub(super) const LOOK: &str = "__look";

/// What holds the object whose item or field a statement sets, and the index, so that each is worked out once.
const OBJECT: &str = "__object";
const INDEX: &str = "__index";

/// Whether a name is none of the program.
pub(super) fn is_ours(name: &str) -> bool {
    [OBJECT, INDEX].contains(&name)
}

/// A statement like `target *= value`.
pub(super) struct InPlace {
    operator: &'static str,
    whole: Span,
    target: Target,
    value: Span,
}

/// What such a statement sets.
enum Target {
    Name(Span),
    Field { object: Part, name: Span },
    Item { object: Part, index: Part },
}

/// A part of a target.
#[derive(Clone, Copy)]
struct Part {
    span: Span,
    /// Whether it is a name or a short constant: these are the same however often they are worked out.
    is_plain: bool,
}

impl Part {
    fn of<P: AstPayload>(expression: &AstExprP<P>) -> Self {
        let is_plain = match &expression.node {
            ExprP::Identifier(_) => true,
            ExprP::Literal(constant) => matches!(constant, AstLiteral::Int(_)),
            _ => false,
        };
        let span = expression.span;
        Self { span, is_plain }
    }
}

impl InPlace {
    /// A statement that can make something larger; nothing for others.
    pub(super) fn of<P: AstPayload>(
        whole: Span,
        target: &AstAssignTargetP<P>,
        operator: AssignOp,
        value: &AstExprP<P>,
    ) -> Option<Self> {
        let operator = match operator {
            AssignOp::Add => "+",
            AssignOp::Multiply => "*",
            AssignOp::Percent => "%",
            AssignOp::LeftShift => "<<",
            _ => return None,
        };
        let target = match &target.node {
            AssignTargetP::Identifier(_) => Target::Name(target.span),
            // What threads and CPUs hold are numbers: a sum of those is small.
            AssignTargetP::Dot(..) if operator == "+" => return None,
            AssignTargetP::Dot(object, name) => Target::Field {
                object: Part::of(object),
                name: name.span,
            },
            AssignTargetP::Index(parts) => Target::Item {
                object: Part::of(&parts.0),
                index: Part::of(&parts.1),
            },
            // The language knows no such statement for several targets.
            AssignTargetP::Tuple(_) => return None,
        };
        Some(Self {
            operator,
            whole,
            target,
            value: value.span,
        })
    }
}

/// Where a piece of the text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Letter by letter from the program.
    Copied,
    /// In place of a statement of the program.
    Instead,
    /// Before or after what stands in place of a statement.
    Added,
}

/// A piece of the text that is read in place of the program.
#[derive(Clone, Copy)]
struct Piece {
    /// Where it begins in that text, and in the program.
    at: u32,
    from: u32,
    kind: Kind,
}

/// The way back from the text that is read to the program. Without pieces they are the same.
#[derive(Default)]
pub(super) struct Origin {
    program: Option<CodeMap>,
    pieces: Vec<Piece>,
}

impl Origin {
    fn piece(&self, at: Pos) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.at <= at.get());
        self.pieces[..after].last().copied()
    }

    /// Where a place begins in the program.
    pub(super) fn begin_of(&self, place: &FileSpan) -> ResolvedPos {
        let begin = place.span.begin();
        let (Some(program), Some(piece)) = (&self.program, self.piece(begin)) else {
            return place.resolve_span().begin;
        };
        let within = if piece.kind == Kind::Copied {
            begin.get() - piece.at
        } else {
            0
        };
        let begin = Pos::new(piece.from + within);
        program
            .file_span(Span::new(begin, begin))
            .resolve_span()
            .begin
    }

    /// Whether a statement that begins here is none of the program.
    pub(super) fn is_added(&self, begin: Pos) -> bool {
        self.piece(begin).is_some_and(|p| p.kind == Kind::Added)
    }
}

/// The text that is made, with its pieces.
struct Writer<'a> {
    program: &'a str,
    text: String,
    pieces: Vec<Piece>,
}

impl Writer<'_> {
    fn piece(&mut self, from: Pos, kind: Kind) {
        let at = u32::try_from(self.text.len()).expect("invariant: programs are short");
        let from = from.get();
        self.pieces.push(Piece { at, from, kind });
    }

    fn copy(&mut self, span: Span) {
        self.piece(span.begin(), Kind::Copied);
        self.text.push_str(slice(self.program, span));
    }

    /// Sets a name to a part of the target, unless the part can stand where it is used.
    fn hold(&mut self, name: &str, part: Part, statement: Pos) {
        if !part.is_plain {
            self.piece(statement, Kind::Added);
            self.text.push_str(&format!("{name} = ("));
            self.copy(part.span);
            self.piece(statement, Kind::Added);
            self.text.push_str("); ");
        }
    }

    fn write_out(&mut self, statement: &InPlace) {
        let InPlace {
            operator,
            whole,
            target,
            value,
        } = statement;
        let begin = whole.begin();
        let program = self.program;
        let start = self.text.len();
        let held = |name, part: Part| {
            if part.is_plain {
                slice(program, part.span)
            } else {
                name
            }
        };
        let target = match *target {
            Target::Name(name) => slice(program, name).to_owned(),
            Target::Field { object, name } => {
                self.hold(OBJECT, object, begin);
                format!("{}.{}", held(OBJECT, object), slice(program, name))
            }
            Target::Item { object, index } => {
                self.hold(OBJECT, object, begin);
                self.hold(INDEX, index, begin);
                format!("{}[{}]", held(OBJECT, object), held(INDEX, index))
            }
        };
        self.piece(begin, Kind::Instead);
        // A list that `+=` makes longer stays the same list, so it is looked at afterwards: it grows by no more than there is.
        let in_place = *operator == "+";
        self.text.push_str(&if in_place {
            format!("{target} += (")
        } else {
            format!("{target} = {target} {operator} (")
        });
        self.copy(*value);
        self.piece(begin, Kind::Added);
        // Lines that stood between the parts stay, so that what follows keeps its line.
        let lines = |text: &str| text.matches('\n').count();
        let missing = lines(slice(program, *whole)).saturating_sub(lines(&self.text[start..]));
        self.text.push_str(&"\n".repeat(missing));
        self.text.push(')');
        if in_place {
            self.text.push_str(&format!("; {LOOK}({target})"));
        }
    }
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.begin().get() as usize..span.end().get() as usize]
}

/// The program with these statements written out, and the way back.
pub(super) fn written_out(program: &CodeMap, mut statements: Vec<InPlace>) -> (String, Origin) {
    statements.sort_by_key(|statement| statement.whole.begin());
    let mut writer = Writer {
        program: program.source(),
        text: String::new(),
        pieces: Vec::new(),
    };
    let mut from = Pos::new(0);
    for statement in &statements {
        writer.copy(Span::new(from, statement.whole.begin()));
        writer.write_out(statement);
        from = statement.whole.end();
    }
    writer.copy(Span::new(from, program.full_span().end()));
    let Writer { text, pieces, .. } = writer;
    let program = Some(program.clone());
    (text, Origin { program, pieces })
}
