//! What could make a text, a list or a number large in one step. The language looks at memory every thousand steps, and
//! `text * 2000000000` is one step. So operators that can make something larger are functions here, which look before they
//! act, and methods that can are refused when the program is read.

use super::words::Limit;
use super::written_out::{InPlace, Origin, written_out};
use super::{DEPTH, wrong};
use anyhow::anyhow;
use sim_contract::ProgramError;
use starlark::codemap::Span;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::syntax::AstModule;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;
use starlark::values::range::Range;
use starlark::values::tuple::{TupleRef, UnpackTuple};
use starlark::values::{Heap, UnpackValue, Value};
use starlark::{Error, ErrorKind};
use starlark_syntax::syntax::ast::{AstExprP, AstPayload, AstStmtP, ExprP, StmtP};
use starlark_syntax::syntax::uniplate::Visit;
use std::fmt::{self, Write};
use std::num::NonZeroI32;

/// Most items of a list that an operator makes.
const ITEMS: usize = 16_384;

/// Most numbers of a `range`.
const RANGE: u32 = 32_768;

/// Longest text, in bytes.
const TEXT: usize = 4_096;

/// Most values that the constants of a program hold, each counted as often as it is held.
const CONSTANTS: usize = 100_000;

/// Most places by which a number is shifted to the left.
const SHIFT: i32 = 1_024;

/// Operators that can make something larger, and the functions that stand for them.
const OPERATORS: [(&str, &str); 4] = [
    ("+", "__plus"),
    ("*", "__times"),
    ("%", "__percent"),
    ("<<", "__shift"),
];

/// A program whose operators are those of this module, and the way back from its text.
pub(super) fn bounded(
    source: &str,
    parse: impl Fn(String) -> Result<AstModule, ProgramError>,
) -> Result<(AstModule, Origin), ProgramError> {
    let mut found = Found::default();
    let read = parse(source.to_owned())?;
    found.statement(read.statement());
    if let Some((span, why)) = found.refused {
        let begin = read.file_span(span).resolve_span().begin;
        let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        return Err(wrong(number(begin.line), number(begin.column), why));
    }
    let program = read.file_span(Span::default()).file;
    let (text, origin) = written_out(&program, found.in_place);
    let mut ast = parse(text)?;
    let functions = OPERATORS.map(|(sign, function)| (sign.to_owned(), function.to_owned()));
    ast.replace_binary_operators(&functions.into_iter().collect());
    Ok((ast, origin))
}

/// Why programs do without a method that can make something larger by more than an item, and what they write instead.
fn refused(method: &str) -> Option<&'static str> {
    Some(match method {
        "join" => "a text has no `join`: `because` takes several values",
        "format" => "a text has no `format`: `because` takes several values",
        "replace" => "a text has no `replace`",
        "extend" => "a list has no `extend`: write `+=`",
        _ => return None,
    })
}

/// What a program does that needs a look.
#[derive(Default)]
struct Found {
    /// The first method that is refused, and why.
    refused: Option<(Span, &'static str)>,
    /// Statements like `x *= 2`.
    in_place: Vec<InPlace>,
}

impl Found {
    fn statement<P: AstPayload>(&mut self, statement: &AstStmtP<P>) {
        if let StmtP::AssignModify(target, op, value) = &statement.node {
            let found = InPlace::of(statement.span, target, *op, value);
            self.in_place.extend(found);
        }
        statement.node.visit_children(|child| match child {
            Visit::Stmt(inner) => self.statement(inner),
            Visit::Expr(inner) => self.expression(inner),
        });
    }

    fn expression<P: AstPayload>(&mut self, expression: &AstExprP<P>) {
        if let ExprP::Dot(_, name) = &expression.node
            && let Some(why) = refused(&name.node)
            && self.refused.is_none()
        {
            self.refused = Some((name.span, why));
        }
        expression.node.visit_expr(|inner| self.expression(inner));
    }
}

/// What is told of something that would be too large.
fn too_large(limit: Limit) -> Error {
    Error::new_kind(ErrorKind::Native(anyhow!(limit.sentence())))
}

/// How many bytes or items a value has, and what limits them.
fn size(value: Value<'_>) -> Option<(usize, Limit)> {
    if let Some(text) = value.unpack_str() {
        return Some((text.len(), Limit::Text));
    }
    let list = ListRef::from_value(value).map(|list| list.len());
    let items = list.or_else(|| TupleRef::from_value(value).map(TupleRef::len));
    items.map(|items| (items, Limit::List))
}

/// Refuses a text, or a list, of more bytes or items than it may have.
fn fits(size: usize, limit: Limit) -> Result<(), Error> {
    let most = if limit == Limit::Text { TEXT } else { ITEMS };
    if size <= most {
        Ok(())
    } else {
        Err(too_large(limit))
    }
}

/// A value, unless it is too large.
fn looked(value: Value<'_>) -> Result<Value<'_>, Error> {
    if let Some((size, limit)) = size(value) {
        fits(size, limit)?;
    }
    Ok(value)
}

/// Refuses whole numbers of more than 64 bits.
fn is_short(value: Value<'_>) -> Result<(), Error> {
    // What is no whole number is none of too many bits.
    i64::unpack_value(value)
        .map(drop)
        .map_err(|_| too_large(Limit::Number))
}

/// `left * right`.
fn times<'v>(left: Value<'v>, right: Value<'v>, heap: Heap<'v>) -> Result<Value<'v>, Error> {
    if left.unpack_i32().is_none() || right.unpack_i32().is_none() {
        for (value, other) in [(left, right), (right, left)] {
            is_short(value)?;
            let often = other
                .unpack_i32()
                .map_or(0, |n| usize::try_from(n).unwrap_or(0));
            if let Some((size, limit)) = size(value) {
                fits(size.saturating_mul(often), limit)?;
                // The language would go through all repetitions of nothing.
                if size == 0 && often > 0 {
                    return value.mul(heap.alloc(1), heap);
                }
            }
        }
    }
    left.mul(right, heap)
}

/// A text of a value: the value itself where it is one. What is longer than texts may be is cut.
pub(super) fn text_of(value: Value<'_>) -> String {
    match value.unpack_str() {
        Some(whole) => Cut::of(|text| text.write_str(whole)),
        None => repr_of(value),
    }
}

/// The same, and a text in quotation marks.
pub(super) fn repr_of(value: Value<'_>) -> String {
    Cut::of(|text| text.write_value(value, 0))
}

/// A text that takes no more than a text may have, and goes no deeper than a stack may.
struct Cut(String);

impl Write for Cut {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = (TEXT - self.0.len()).min(more.len());
        let end = (0..=room).rev().find(|at| more.is_char_boundary(*at));
        let end = end.unwrap_or(0);
        self.0.push_str(&more[..end]);
        if end < more.len() {
            Err(fmt::Error)
        } else {
            Ok(())
        }
    }
}

impl Cut {
    /// What is written, and `…` where it was cut.
    fn of(write: impl FnOnce(&mut Self) -> fmt::Result) -> String {
        let mut text = Self(String::new());
        if write(&mut text).is_err() {
            text.0.push('…');
        }
        text.0
    }

    /// The value as the language writes it.
    fn write_value(&mut self, value: Value<'_>, depth: usize) -> fmt::Result {
        let [open, close] = match value.get_type() {
            "list" => ["[", "]"],
            "tuple" => ["(", ")"],
            "dict" => ["{", "}"],
            _ => return write!(self, "{value}"),
        };
        if depth == DEPTH {
            return Err(fmt::Error);
        }
        self.write_str(open)?;
        let items = items_of(value);
        let is_lone = value.get_type() == "tuple" && items.len() == 1;
        for (i, (item, of)) in items.into_iter().enumerate() {
            self.write_str(if i > 0 { ", " } else { "" })?;
            self.write_value(item, depth + 1)?;
            if let Some(of) = of {
                self.write_str(": ")?;
                self.write_value(of, depth + 1)?;
            }
        }
        self.write_str(if is_lone { "," } else { "" })?;
        self.write_str(close)
    }
}

/// What a list, a tuple or a dictionary holds: items, or keys with their values.
fn items_of(value: Value<'_>) -> Vec<(Value<'_>, Option<Value<'_>>)> {
    if let Some(dict) = DictRef::from_value(value) {
        return dict.iter().map(|(key, of)| (key, Some(of))).collect();
    }
    let list = ListRef::from_value(value).map(ListRef::content);
    let tuple = || TupleRef::from_value(value).map(TupleRef::content);
    let items = list.or_else(tuple).unwrap_or_default();
    items.iter().map(|item| (*item, None)).collect()
}

/// Refuses constants that are deep or hold each other many times over: the language goes through them as often.
pub(super) fn are_plain<'v>(constants: impl Iterator<Item = Value<'v>>) -> bool {
    let mut left = CONSTANTS;
    let mut open: Vec<(Value<'v>, usize)> = constants.map(|value| (value, 0)).collect();
    while let Some((value, depth)) = open.pop() {
        left -= 1;
        if left == 0 || depth > DEPTH {
            return false;
        }
        let inside = items_of(value).into_iter();
        open.extend(
            inside
                .flat_map(|(item, of)| [Some(item), of])
                .flatten()
                .map(|v| (v, depth + 1)),
        );
    }
    true
}

/// Operators and functions in place of those of the language.
#[starlark_module]
pub(super) fn all(builder: &mut GlobalsBuilder) {
    /// Looks at what was made larger in place.
    fn __look<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<NoneType> {
        looked(value)?;
        Ok(NoneType)
    }

    /// Whole numbers one after the other.
    fn range(
        #[starlark(require = pos)] first: i32,
        #[starlark(require = pos)] end: Option<i32>,
        #[starlark(require = pos, default = 1)] step: i32,
    ) -> starlark::Result<Range> {
        let (first, end) = end.map_or((0, first), |end| (first, end));
        let Some(step) = NonZeroI32::new(step) else {
            return Err(too_large(Limit::Step));
        };
        if first.abs_diff(end) / step.get().unsigned_abs() > RANGE {
            return Err(too_large(Limit::Range));
        }
        Ok(Range::new(first, end, step))
    }

    /// A value as a text.
    fn str<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        let text = text_of(value);
        fits(text.len(), Limit::Text)?;
        Ok(text)
    }

    /// The same, and a text in quotation marks.
    fn repr<'v>(#[starlark(require = pos)] value: Value<'v>) -> starlark::Result<String> {
        let text = repr_of(value);
        fits(text.len(), Limit::Text)?;
        Ok(text)
    }

    /// Stops the lane, and says why.
    fn fail<'v>(#[starlark(args)] values: UnpackTuple<Value<'v>>) -> starlark::Result<NoneType> {
        let all: Vec<String> = values.items.iter().map(|v| text_of(*v)).collect();
        Err(Error::new_kind(ErrorKind::Fail(anyhow!(all.join(" ")))))
    }

    fn __plus<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        looked(left.add(right, eval.heap())?)
    }

    fn __times<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        times(left, right, eval.heap())
    }

    fn __percent<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if left.unpack_str().is_some() {
            return Err(too_large(Limit::Percent));
        }
        left.percent(right, eval.heap())
    }

    fn __shift<'v>(
        #[starlark(require = pos)] left: Value<'v>,
        #[starlark(require = pos)] right: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        is_short(left)?;
        if right.unpack_i32().is_none_or(|by| by > SHIFT) && right.get_type() == "int" {
            return Err(too_large(Limit::Number));
        }
        left.left_shift(right, eval.heap())
    }
}
