// Which strings of a source file are offered for translation, and with which context. By itself, wuchale visits some
// strings that no reader sees, and skips some that readers see.

const comparisons = new Set(['===', '!==', '==', '!=', 'in', 'instanceof', '<', '>', '<=', '>=']);

const isText = (node) => node?.type === 'Literal' || node?.type === 'TemplateLiteral';

/** The name of a key or a variable, which decides whether its value is text. */
const nameOf = (node) =>
  node?.type === 'Identifier' || node?.type === 'PrivateIdentifier'
    ? node.name
    : String(node?.value ?? '');

/** Changes how a transformer of wuchale visits code; the same for scripts and components. */
export function visitsWords(transformer) {
  const details = transformer.heuristciDetails;
  const { visit } = transformer;
  /** Visits a named value; a function in it has no name at first. */
  const named = (name, node) => {
    const before = details.named;
    details.named = name;
    const found = visit(node);
    details.named = before;
    return found;
  };
  /** Texts in comparisons are keys. */
  const visitBinary = (node) => {
    const isComparison = comparisons.has(node.operator);
    return [node.left, node.right].flatMap((side) =>
      isComparison && isText(side) ? [] : visit(side),
    );
  };
  const { visitFunctionBody, visitCallExpression, visitNewExpression, visitAttribute } =
    transformer;
  Object.assign(transformer, {
    visitBinaryExpression: visitBinary,
    visitAssignmentExpression: (node) => [
      ...visit(node.left),
      ...named(nameOf(node.left.property ?? node.left), node.right),
    ],
    visitSwitchCase: (node) => node.consequent.flatMap(visit),
    visitSwitchStatement: (node) => [
      ...visit(node.discriminant),
      ...node.cases.flatMap(transformer.visitSwitchCase),
    ],
    visitProperty: (node) => [
      ...(node.computed && !isText(node.key) ? visit(node.key) : []),
      ...(node.value.type === 'Literal' || !node.shorthand
        ? named(node.computed ? details.named : nameOf(node.key), node.value)
        : []),
    ],
    // In a list of texts the first one is its key.
    visitArrayExpression: (node) => {
      const [first, second] = node.elements;
      const isRow =
        details.isInArray && isText(first) && isText(second) && /^\S*$/.test(first.value);
      const before = details.isInArray;
      details.isInArray = true;
      const found = node.elements.slice(isRow ? 1 : 0).flatMap((one) => (one ? visit(one) : []));
      details.isInArray = before;
      return found;
    },
    // Of components alone.
    visitAttribute: (node) => {
      const before = details.named;
      details.named = `@${node.name}`;
      const found = visitAttribute(node);
      details.named = before;
      return found;
    },
    visitPropertyDefinition: (node) => (node.value ? named(nameOf(node.key), node.value) : []),
    visitMemberExpression: (node) => [
      ...visit(node.object),
      ...(node.computed && !isText(node.property) ? visit(node.property) : []),
    ],
    visitThrowStatement: (node) => visit(node.argument),
    visitTSNonNullExpression: (node) => visit(node.expression),
    visitCatchClause: (node) => visit(node.body),
    visitVariableDeclarator: (node) => named(nameOf(node.id), { ...node, type: 'PlainDeclarator' }),
    visitPlainDeclarator: transformer.defaultVisitVariableDeclarator,
    visitCallExpression: (node) => {
      const before = details.named;
      details.named = undefined;
      const found = visitCallExpression(node);
      details.named = before;
      return found;
    },
    visitNewExpression: (node) => {
      const { call } = details;
      details.call = `new ${transformer.getCalleeName(node.callee)}`;
      const found = visitNewExpression(node);
      details.call = call;
      return found;
    },
    visitFunctionBody: (node, name, end) => {
      const { named: before, call } = details;
      details.named = undefined;
      details.call = undefined;
      const found = visitFunctionBody(node, name, end);
      details.named = before;
      details.call = call;
      return found;
    },
  });
  return transformer;
}
