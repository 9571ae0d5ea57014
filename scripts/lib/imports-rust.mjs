// Reads which modules of its own crate a Rust file uses and holds that against a table.
// A reader of text, not a compiler: it sees `crate::…` and `super::…` paths, in `use` and elsewhere.

/** Code without comments, strings and what follows `#[cfg(test)] mod …`: tests may use anything. */
export function codeOf(text) {
  const tests = text.search(
    /^ *#\[cfg\(test\)\]\s*\n(?: *#\[[^\n]*\]\s*\n)* *(?:pub(?:\(crate\))? )?mod \w+ \{/m,
  );
  return (tests === -1 ? text : text.slice(0, tests))
    .replace(/\/\/[^\n]*/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/r#"[\s\S]*?"#/g, '""')
    .replace(/"(?:\\.|[^"\\])*"/g, '""');
}

/** `sched::ule` for `sched/ule/mod.rs`, '' for `lib.rs`. */
export function moduleOf(file) {
  const parts = file.replace(/\.rs$/, '').split('/');
  if (['mod', 'lib'].includes(parts.at(-1))) parts.pop();
  return parts.join('::');
}

/** Expands `a::{b, c::{d, e}}` into its paths. */
export function expandUse(tree) {
  const open = tree.indexOf('{');
  if (open === -1) return [tree.replace(/\s+as\s+\w+/, '').replace(/\s/g, '')];
  const prefix = tree.slice(0, open).replace(/\s/g, '');
  const inner = tree.slice(open + 1, tree.lastIndexOf('}'));
  const parts = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= inner.length; index += 1) {
    const char = inner[index];
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (index === inner.length || (char === ',' && depth === 0)) {
      const part = inner.slice(start, index).trim();
      if (part) parts.push(part);
      start = index + 1;
    }
  }
  return parts.flatMap((part) => expandUse(prefix + part));
}

/** Absolute paths, from the crate's root, that a file names: `sched::flags::Placement`. */
export function pathsOf(file, text) {
  const code = codeOf(text);
  const own = moduleOf(file).split('::').filter(Boolean);
  const found = new Set();
  const add = (path) => {
    const parts = path.split('::');
    if (parts[0] === 'crate') {
      found.add(parts.slice(1).join('::'));
      return;
    }
    let base = [...own];
    while (parts[0] === 'super') {
      base = base.slice(0, -1);
      parts.shift();
    }
    found.add([...base, ...parts].join('::'));
  };
  const rest = code.replace(/\buse\s+((?:crate|super)\b[^;]*);/g, (_, tree) => {
    expandUse(tree).forEach(add);
    return '';
  });
  for (const [path] of rest.matchAll(/\b(?:crate|super)(?:::\w+)+/g)) add(path);
  return [...found];
}

const within = (path, module) => path === module || path.startsWith(`${module}::`);

/**
 * Problems of all files, each { file (relative to src), text }: [{ id, why }].
 * A scheduler is a folder under sched/; it must not name another one. `schedulerParts` are folders that are no
 * schedulers but parts that those of one system share.
 */
export function rustProblems(files, { modules, schedulerRegistry, schedulerParts = [] }) {
  const tops = new Set(files.map(({ file }) => moduleOf(file).split('::')[0]));
  const schedulers = new Set(
    files.map(({ file }) => /^sched\/(\w+)\//.exec(file)?.[1]).filter(Boolean),
  );
  const problems = [];
  for (const { file, text } of files) {
    const report = (target, why) => problems.push({ id: `sim-core/src/${file} -> ${target}`, why });
    const own = moduleOf(file);
    const top = own.split('::')[0];
    const binding = /\b(wasm_bindgen|js_sys|web_sys)\b/.exec(codeOf(text))?.[0];
    if (binding) {
      report(binding, 'the core knows nothing of the browser; bindings live in sim-core/wasm');
    }
    if (!(top in modules)) {
      report('', `the module ${top} is not in the table`);
      continue;
    }
    for (const path of pathsOf(file, text)) {
      const [target, second] = path.split('::');
      // What lib.rs itself defines or re-exports is not a module.
      if (target !== top && tops.has(target)) {
        const allowed = modules[top].some((entry) => entry === '*' || within(path, entry));
        if (!allowed) report(path, `${top} must not use ${target}`);
      }
      const ownScheduler = /^sched::(\w+)/.exec(own)?.[1];
      if (
        top === 'sched' &&
        target === 'sched' &&
        schedulers.has(second) &&
        !schedulerParts.includes(second) &&
        second !== ownScheduler &&
        own !== schedulerRegistry
      ) {
        report(path, 'a scheduler is known to the registry only, never to another one');
      }
    }
  }
  return problems;
}
