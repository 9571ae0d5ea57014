//! Catches panics of a run, so that other runs go on.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Whether this thread runs something whose panics are caught.
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    /// The text of the last panic, and its place.
    static WORDS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic inside [`caught`] is returned there and not printed on standard error.
pub fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_WATCHED.get() {
                WORDS.replace(words(info));
            } else {
                before(info);
            }
        }));
    });
}

fn words(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without words");
    match info.location() {
        Some(place) => format!("{text}, at {}:{}", place.file(), place.line()),
        None => text.to_owned(),
    }
}

/// The result of `run`, or the text of its panic. After a panic nothing that `run` changed may be used.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    let was_watched = IS_WATCHED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    IS_WATCHED.set(was_watched);
    result.map_err(|_| WORDS.take())
}
