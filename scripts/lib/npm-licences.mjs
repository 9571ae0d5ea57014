// Licences of npm packages, as package-lock.json names them, held against what is allowed.

/**
 * Sentences about what is not allowed. `packages` are those of the lock file; `satisfies` is that of spdx-satisfies.
 * What ends in the page has fewer licences to choose from than what only builds and tests it.
 */
export function licenceProblems(packages, { shipped, tools }, satisfies) {
  const problems = [];
  for (const [folder, { license, dev, devOptional }] of Object.entries(packages)) {
    if (folder === '') continue;
    const name = folder.split('node_modules/').at(-1);
    const [what, allowed] = dev || devOptional ? ['a tool', tools] : ['shipped', shipped];
    if (!license) problems.push(`${name} (${what}) names no licence`);
    else if (!isAllowed(license, allowed, satisfies)) {
      problems.push(`${name} (${what}) has the licence ${license}, which is not allowed for that`);
    }
  }
  return problems;
}

/** A name that SPDX does not know is not allowed. */
function isAllowed(license, allowed, satisfies) {
  try {
    return satisfies(license, allowed);
  } catch {
    return false;
  }
}
