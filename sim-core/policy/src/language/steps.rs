//! The lines that a call executes, with the values of its names. Only while somebody asks for them: then the call is made
//! again, from a snapshot. A function of one expression may be part of the line that calls it: the language puts it there.

use super::growth::text_of;
use super::session::Functions;
use super::written_out;
use crate::moment::Shared;
use crate::world::short;
use starlark::codemap::FileSpanRef;
use starlark::eval::{BeforeStmtFunc, BeforeStmtFuncDyn, Evaluator};
use starlark::values::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A function that is being called: the line where it is, and what its names held there.
struct Frame {
    line: u32,
    step: usize,
    known: BTreeMap<String, String>,
}

/// Is told before each statement.
struct Recorder {
    moment: Shared,
    functions: Arc<Functions>,
    /// Functions that call each other, the outermost first.
    frames: Vec<Frame>,
}

/// Has the lines of a call recorded in its moment.
pub(super) fn record<'e>(
    eval: &mut Evaluator<'_, '_, 'e>,
    moment: &Shared,
    functions: &Arc<Functions>,
) {
    let recorder = Recorder {
        moment: moment.clone(),
        functions: functions.clone(),
        frames: Vec::new(),
    };
    eval.before_stmt_for_dap(BeforeStmtFunc::from_dyn(Box::new(recorder)));
}

/// A value as it is shown; nothing for functions, and for what a function within the function holds.
fn shown(value: Value<'_>) -> Option<String> {
    let hidden = ["function", "native_function", "value_captured"];
    (!hidden.contains(&value.get_type())).then(|| short(&text_of(value)))
}

impl<'e> BeforeStmtFuncDyn<'e> for Recorder {
    fn call<'v>(
        &mut self,
        span: FileSpanRef<'_>,
        goes_on: bool,
        eval: &mut Evaluator<'v, '_, 'e>,
    ) -> starlark::Result<()> {
        let stack = eval.call_stack().into_frames();
        let is_statement = stack.last().is_none_or(|f| f.name != "lambda");
        let line = u32::try_from(span.resolve_span().begin.line + 1).unwrap_or(u32::MAX);
        // Neither what was added to the program is a line of it, nor a line that goes on after a function of the language.
        let is_same = |f: &Frame| f.line == line && self.frames.len() == stack.len();
        if self.functions.origin.is_added(span.span.begin())
            || goes_on && self.frames.last().is_some_and(is_same)
        {
            return Ok(());
        }
        let names = eval.local_variables().into_iter();
        let now: BTreeMap<String, String> = names
            .filter(|(name, _)| !written_out::is_ours(name))
            .filter_map(|(name, value)| Some((name, shown(value)?)))
            .collect();
        let mut m = self.moment.lock();
        let Some(steps) = &mut m.steps else {
            return Ok(());
        };
        let Some(step) = steps.add(line, is_statement) else {
            return Ok(());
        };
        self.frames.truncate(stack.len());
        let depth = self.frames.len();
        // Further down in the same function, what has changed was changed by the line before. Further up it has gone
        // round a loop or was called again: then the line finds it so.
        let before = (depth == stack.len())
            .then(|| self.frames.pop())
            .flatten()
            .filter(|f| f.line < line);
        let (at, known) = before.map_or((step, BTreeMap::new()), |f| (f.step, f.known));
        for (name, value) in &now {
            if known.get(name) != Some(value) {
                steps.keep(at, name.clone(), value.clone());
            }
        }
        let known = now;
        self.frames.push(Frame { line, step, known });
        Ok(())
    }
}
