//! What the package with own policies does when it starts.

unsafe extern "C" {
    /// The linker's function that runs all constructors.
    fn __wasm_call_ctors();
}

/// Runs the constructors by which the language's library registers its types. Where nobody calls them the linker does so
/// before each call of the package, and gives the exports other names: then one file of bindings would not fit both
/// packages.
pub(crate) fn construct() {
    // SAFETY: called once, before anything else of the package runs.
    unsafe { __wasm_call_ctors() }
}
