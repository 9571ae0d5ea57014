//! What the language sets up for a call, kept for the next one: a heap and an evaluator, which has a megabyte of its own.
//!
//! Values live no longer than the heap, and the heap no longer than the function that it is handed to. So that function is
//! one that waits: it makes a call each time it is polled. All of it is safe code.

use super::values::{CpuValue, EveryoneValue, Extra, Here, ThreadValue};
use super::written_out::Origin;
use super::{MEMORY, RESERVED, STACK, reply, steps, words, wrong};
use crate::hook::{ALL, Hook};
use crate::program::{Argument, Reply};
use sim_contract::ProgramError;
use starlark::environment::Module;
use starlark::eval::Evaluator;
use starlark::values::{Heap, OwnedFrozenValue, Value};
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// The functions of a program.
#[derive(Default)]
pub(super) struct Functions {
    /// In the order of [`ALL`].
    pub(super) of: [Option<OwnedFrozenValue>; ALL.len()],
    /// Where the text that was read comes from.
    pub(super) origin: Origin,
}

/// The most memory of a heap that is kept, in bytes. Nothing is collected in it.
const KEPT: usize = 64 << 10;

/// Steps between two times at which the language asks whether to go on.
const BETWEEN: u64 = 1_000;

thread_local! {
    /// The one of the program that was called last on this thread.
    static LAST: Cell<Option<Session>> = const { Cell::new(None) };
}

/// A call.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) hook: Hook,
    pub(super) arguments: [Option<Argument>; 2],
    /// Steps that it may take.
    pub(super) fuel: u64,
    /// The line of the function.
    pub(super) line: u32,
}

/// What came of a call.
pub(super) struct Outcome {
    pub(super) reply: Result<Reply, ProgramError>,
    /// Steps that it took.
    pub(super) steps: u64,
    /// Memory that the heap has in use after it, in bytes.
    in_use: usize,
}

/// Where a call is laid down, and what came of it.
#[derive(Default)]
struct Desk {
    call: Cell<Option<Call>>,
    outcome: Cell<Option<Outcome>>,
    /// How often the language may still ask before the call surely has taken too many steps.
    patience: Cell<u64>,
}

impl Desk {
    fn is_at_end(&self) -> bool {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
        left == 0
    }
}

/// See the module comment.
struct Session {
    work: Pin<Box<dyn Future<Output = ()>>>,
    desk: Rc<Desk>,
    here: Here,
}

/// Calls a function of a program.
pub(super) fn call(functions: &Arc<Functions>, here: Here, call: Call) -> Outcome {
    // The lines of a call are recorded by an evaluator of its own.
    let is_asked = here.shared.is_asked();
    let last = if is_asked { None } else { LAST.take() };
    let mut session = last
        .filter(|last| std::ptr::eq(last.here.as_ref(), here.as_ref()))
        .unwrap_or_else(|| Session::new(functions, here, is_asked));
    let outcome = session.call(call);
    if !is_asked && outcome.reply.is_ok() && outcome.in_use <= KEPT {
        LAST.set(Some(session));
    }
    outcome
}

impl Session {
    fn new(functions: &Arc<Functions>, here: Here, records: bool) -> Self {
        let desk = Rc::new(Desk::default());
        let work = work(desk.clone(), functions.clone(), here, records);
        Self {
            work: Box::pin(work),
            desk,
            here,
        }
    }

    fn call(&mut self, call: Call) -> Outcome {
        self.desk.call.set(Some(call));
        let poll = self
            .work
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(poll.is_pending(), "invariant: it never ends");
        let outcome = self.desk.outcome.take();
        outcome.expect("invariant: each poll makes the call that is laid down")
    }
}

/// Makes a call at each poll.
async fn work(desk: Rc<Desk>, functions: Arc<Functions>, here: Here, records: bool) {
    Module::with_temp_heap_async(async move |module| {
        let extra = Extra { here };
        let mut eval = Evaluator::new(&module);
        eval.extra = Some(&extra);
        // Each is set once, to a number above 0: then none is refused.
        let _ = eval.set_max_callstack_size(STACK);
        let _ = eval.set_max_heap_size(RESERVED);
        let of = desk.clone();
        eval.set_check_cancelled(Box::new(move || of.is_at_end()));
        if records {
            steps::record(&mut eval, &here.shared, &functions);
        }
        let heap = module.heap();
        let function =
            |f: &Option<OwnedFrozenValue>| f.as_ref().map(|f| heap.access_owned_frozen_value(f));
        let hooks = functions.of.each_ref().map(function);
        loop {
            if let Some(call) = desk.call.take() {
                desk.patience.set(call.fuel / BETWEEN + 3);
                let before = eval.get_total_tick_count();
                let held = in_use(heap);
                let reply = match hooks[call.hook as usize] {
                    Some(function) => {
                        let origin = &functions.origin;
                        made(&mut eval, heap, function, &call, here, origin)
                    }
                    None => Ok(Reply::None),
                };
                let steps = eval.get_total_tick_count() - before;
                let in_use = in_use(heap);
                // The language looks at its limits from time to time, and when depends on the calls before. What a call
                // itself took does not, so that decides, whatever else was wrong with the call.
                let spent = if in_use - held > MEMORY {
                    Some(words::Limit::Memory)
                } else if steps > call.fuel {
                    Some(words::Limit::Steps)
                } else {
                    None
                };
                desk.outcome.set(Some(Outcome {
                    reply: match spent {
                        Some(limit) => Err(wrong(call.line, 1, limit.sentence())),
                        None => reply,
                    },
                    steps,
                    in_use,
                }));
            }
            next_poll().await;
        }
    })
    .await
}

fn made<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    heap: Heap<'v>,
    function: Value<'v>,
    call: &Call,
    here: Here,
    origin: &Origin,
) -> Result<Reply, ProgramError> {
    let value = |argument| match argument {
        Argument::Thread(task) => heap.alloc(ThreadValue::new(task, here)),
        Argument::Cpu(cpu) => heap.alloc(CpuValue::new(cpu, here)),
        Argument::Everyone => heap.alloc(EveryoneValue),
        Argument::Number(number) => heap.alloc(number),
    };
    let values = call.arguments.map(|a| a.map_or(Value::new_none(), value));
    let given = call.arguments.iter().flatten().count();
    let answer = eval.eval_function(function, &values[..given], &[]);
    let told = |e| words::told(&e, origin, &here.shared, (call.line, 1));
    answer.map(reply).map_err(told)
}

/// Memory of the values of a heap, in bytes, without what it reserved ahead.
fn in_use(heap: Heap<'_>) -> usize {
    heap.allocated_bytes() - heap.available_bytes()
}

/// Waits until it is polled again.
async fn next_poll() {
    let mut is_polled = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut is_polled, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}
