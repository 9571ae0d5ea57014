#!/bin/sh
# The compiler of test builds: clippy's driver, which compiles and warns. Cargo calls it with the compiler's arguments.
# A test program is compiled once and runs once, so its own code is not optimised. What it calls in other crates is.
# Cargo has no setting for that: a profile treats a crate and its unit tests alike.
case " $* " in
*" --test "*) exec clippy-driver "$@" -C opt-level=0 ;;
*) exec clippy-driver "$@" ;;
esac
