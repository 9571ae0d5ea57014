// Compares two lists of digests, row by row.

const key = (row) => `${row.scenario} #${row.lane} ${row.scheduler}`;

/**
 * Compares native rows with WebAssembly rows; every scenario in `scenarios` must have at least one.
 * Returns { same, problems }: the rows that agree, and a sentence for each that does not.
 */
export function compareDigests(native, wasm, scenarios) {
  const problems = [];
  const same = [];
  const inWasm = new Map(wasm.map((row) => [key(row), row.digest]));
  for (const row of native) {
    const other = inWasm.get(key(row));
    inWasm.delete(key(row));
    if (other === undefined) problems.push(`${key(row)}: no digest from WebAssembly`);
    else if (!row.digest || other !== row.digest)
      problems.push(`${key(row)}: native ${row.digest}, WebAssembly ${other}`);
    else same.push(row);
  }
  for (const missing of inWasm.keys()) problems.push(`${missing}: no native digest`);
  const covered = new Set(native.map((row) => row.scenario));
  for (const scenario of scenarios) {
    if (!covered.has(scenario)) problems.push(`${scenario}: shipped, but has no digest`);
  }
  return { same, problems };
}
