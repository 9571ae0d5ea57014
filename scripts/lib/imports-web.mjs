// Reads the imports of TypeScript and Svelte files and compares them with tables.
import path from 'node:path';
import ts from 'typescript';

/** The code of a file: all of a .ts file, or the script blocks of a .svelte file. */
function codeOf(file, text) {
  if (!file.endsWith('.svelte')) return text;
  return [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map((m) => m[1]).join('\n');
}

function isTypeOnly(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name || !named || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

/** `new URL('./worker.ts', import.meta.url)` is an import as well: the bundler follows it. */
function urlSpecifier(node) {
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'URL') return undefined;
  const [first, second] = node.arguments ?? [];
  const bundled = second?.getText() === 'import.meta.url';
  return bundled && first && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** Every import of a file: { specifier, typeOnly, reexport }. */
export function importsOf(file, text) {
  const source = ts.createSourceFile(file, codeOf(file, text), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push({
        specifier: node.moduleSpecifier.text,
        typeOnly: isTypeOnly(node),
        reexport: ts.isExportDeclaration(node),
      });
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      node.arguments[0] &&
      ts.isStringLiteralLike(node.arguments[0])
    ) {
      found.push({ specifier: node.arguments[0].text, typeOnly: false, reexport: false });
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      found.push({ specifier: node.argument.literal.text, typeOnly: true, reexport: false });
    } else {
      const specifier = urlSpecifier(node);
      if (specifier) found.push({ specifier, typeOnly: false, reexport: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * The meaning of a specifier: `sim/frame` for a file of web/src (without .ts), `outside:…` for one elsewhere in the
 * repository, `npm:…` for a package. A component keeps its `.svelte`; a module with runes, `state/run.svelte.ts`, is
 * ordinary code and becomes `state/run`.
 */
export function targetOf(file, specifier, isComponent) {
  if (!specifier.startsWith('.')) return `npm:${specifier}`;
  const bare = specifier.replace(/\?.*$/, '');
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), bare));
  if (target.startsWith('..')) return `outside:${target}`;
  return isComponent(target) ? target : target.replace(/(\.svelte)?(\.[jt]s)?$/, '');
}

/** `lib` for `lib/units.ts`, '' for `main.ts`. */
const layerOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '');

function layerProblem(file, target, layers) {
  if (/^(npm|outside):/.test(target)) return undefined;
  const own = layerOf(file);
  const other = layerOf(target);
  if (!(own in layers)) return `the folder ${own} is not in the table`;
  if (own === other || layers[own].includes(other)) return undefined;
  return `${own || 'the root'} must not import from ${other || 'the root'}`;
}

function ruleProblem(file, target, typeOnly, rule) {
  if (!rule.from.test(file) || !rule.to.test(target)) return undefined;
  if (rule.allow?.test(target)) return undefined;
  const typeOnlyHere = !rule.typeOnlyFrom || rule.typeOnlyFrom.test(file);
  if (typeOnly && typeOnlyHere && rule.allowTypeOnly?.test(target)) return undefined;
  return rule.why;
}

/**
 * The problems of one file, whose path is relative to web/src: [{ id, why }]. `isComponent` says whether a path is an
 * existing .svelte file.
 */
export function webProblems(file, text, { layers, rules, isComponent }) {
  const imports = importsOf(file, text);
  const problems = [];
  const report = (target, why) => problems.push({ id: `web/src/${file} -> ${target}`, why });
  if (/(^|\/)index\.ts$/.test(file) && imports.some((one) => one.reexport)) {
    report('(re-export)', 'no barrel files: import from the file that has it');
  }
  for (const { specifier, typeOnly } of imports) {
    const target = targetOf(file, specifier, isComponent);
    const layer = layerProblem(file, target, layers);
    if (layer) report(target, layer);
    for (const rule of rules) {
      const why = ruleProblem(file, target, typeOnly, rule);
      if (why) report(target, why);
    }
  }
  return problems;
}
