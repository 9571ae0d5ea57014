use super::*;

#[test]
fn columns_of_all_layouts() {
    for (line, process, flags) in [
        (
            "tsw-main-3755       [000] d..2.  2027.003276: sched_switch: x",
            None,
            Some(&b"d..2."[..]),
        ),
        (
            "   tsw-main-3755  [000] d..2 2027.003276000: sched_switch: x",
            None,
            Some(b"d..2"),
        ),
        (
            "   tsw-main-3755  (   12) [000] dNh3.  2027.003276: sched_switch: x",
            Some(12),
            Some(b"dNh3."),
        ),
        (
            "   tsw-main-3755  (-----) [000] .... 2027.003276: sched_switch: x",
            None,
            Some(b"...."),
        ),
        (
            "   tsw-main-3755  [000]  2027.003276: sched_switch: x",
            None,
            None,
        ),
        (
            "   tsw-main-3755  (3750) [000]  2027.003276: sched_switch:   x",
            Some(3750),
            None,
        ),
    ] {
        let head = head(line.as_bytes()).expect(line);
        assert_eq!(
            (head.name, head.pid, head.cpu),
            (&b"tsw-main"[..], 3755, 0),
            "{line}"
        );
        assert_eq!(head.at, 2_027_003_276_000, "{line}");
        assert_eq!((head.process, head.flags), (process, flags), "{line}");
        assert!(head.rest.starts_with(b"sched_switch:"), "{line}");
    }
}

#[test]
fn names_may_look_like_columns() {
    for name in [
        "a-1 [002] b",
        "[003]",
        "x (12)",
        "kworker/0:1-ev",
        "a  b",
        "-5",
    ] {
        let line = format!("  {name}-77 [001] d..2. 1.000001: sched_switch: x");
        let head = head(line.as_bytes()).expect(&line);
        assert_eq!(
            (head.name, head.pid, head.cpu),
            (name.as_bytes(), 77, 1),
            "{line}"
        );
    }
    assert_eq!(head(b"# CPU [001] x"), None);
}

#[test]
fn the_third_flag_tells_interrupts() {
    for (flags, expected) in [
        (&b"d.h2."[..], Some(true)),
        (b"dNH3.", Some(true)),
        (b"..s1", Some(true)),
        (b"d..2.", Some(false)),
        (b".....", Some(false)),
        (b"??", None),
    ] {
        assert_eq!(interrupt(flags), expected);
    }
}
