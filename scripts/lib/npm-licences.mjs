// Compares licences of npm packages, as package-lock.json names them, with the allowed ones.

/**
 * Sentences about packages that are not allowed. `packages` are those of the lock file; `satisfies` is that of
 * spdx-satisfies. Packages in the page have fewer allowed licences than build and test tools.
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

/** A name that is unknown to SPDX is not allowed. */
function isAllowed(license, allowed, satisfies) {
  try {
    return satisfies(license, allowed);
  } catch {
    return false;
  }
}
