// Which strings are words for readers, for wuchale's extraction: all text in markup, attributes that are read or
// heard, and in scripts sentences and values under names for words.

/** Attributes and properties of components that readers do not see. */
const silent =
  /^(class|style|id|for|form|role|type|scope|href|hreflang|src|rel|target|value|accept|fill|stroke|d|points|transform|step|tab|lang|side|fragment|xmlns|viewBox|spellcheck|autocomplete|inputmode|text-anchor|shape-rendering|pattern\w+|data-.*|on\w+|aria-(hidden|live|controls|keyshortcuts|labelledby|describedby|haspopup|expanded|autocomplete|orientation|current|pressed|selected))$/;

/** Names whose values are for the browser, for a file or for the core. */
const technical =
  /^(font|outcome|style|styles|path|snippet|src|codec|on|own|at|CONTROLS|FEATURES|MACHINE|SVG|id|file|SANS|text-anchor)$/;

/** Calls whose arguments are for the browser or for developers. */
const technicalCalls =
  /(^|\.)(querySelector(All)?|closest|matches|getContext|addEventListener|removeEventListener|setAttribute|startsWith|endsWith|includes|indexOf|glob|fullBox|follows|must|unreachable|encode|warn|error|getPropertyValue|setProperty|postMessage|element|box)$|^new (TypeError|URL|Worker|Blob|Set|RegExp)$/;

/** Names under which single words in lower case are text; under other names they are keys. */
const wordNames =
  /^(label|labels|head|heads|word|words|often|short|long|what|who|title|does|meaning|note|place|refuse|preempt|pickNext|selectCpu|migrate|steal|balance|about|price|text|aria-label|hint|placeholder|caption|detail|empty|OF_GROUP|OF_THREAD|WAITS|TIMES|TOTALS|STEP_KINDS|DASH_NAMES|VIEW_NAMES|REPLACEMENT|DOMAINS|ROWS|resting|span|costs|rowWord|words|STATES)$/;

/** Whether there is text to translate: a word of at least two letters that is not a unit. */
const hasWords = (text) =>
  /\p{L}{2}/u.test(
    text
      .replaceAll(/\{\d+\}/g, '#')
      .replaceAll(
        /(?<![\p{L}])(ms|ns|us|µs|s|min|Hz|MHz|GHz|B|KiB|MiB|GiB|kB|MB|GB|px)(?![\p{L}])/gu,
        '',
      ),
  );

/** Code, expressions of the measure language, markup, selectors, addresses, fonts. */
const isCode = (text) =>
  /[[\]]|^\{?[a-z]+\([a-z\d#(), ]*\)(:s\})?$|var\(|^[./<]|^#[a-z-]+$|^\(prefers|:\/\/|=["']|\dpx\b|^[a-z-]+\/[a-z0-9.+-]+$|sans-serif|^[MLHV][\d#{]|^\s*--|^(button|input|canvas|section|aside|a\[)\b.*[,>[]/.test(
    text,
  );

const isKeyLike = (text) =>
  /^(Arrow|Page(Up|Down)|Ctrl\+|Shift\+|Escape$|NFKD$|V_VP|each move$|Content-Type$|Superseded$)/.test(
    text,
  );

/** Single words of scripts that no name distinguishes from keys, by file. */
const SINGLE = {
  'src/lib/format.ts': ['wait', 'waits', 'none'],
  'src/files/differs.ts': ['no', 'yes', 'none'],
  'src/files/say-edit.ts': ['all'],
  'src/files/repair.ts': ['edit', 'control'],
  'src/state/answer/measures.ts': ['points'],
  'src/state/lesson/quantity.ts': ['points'],
  'src/state/opening/opening-look.ts': ['do', 'does', 'they', 'it', ' and '],
  'src/view/machine/paint-slots.ts': ['daemon', 'waking', 'switching', 'idle'],
  'src/view/machine/queues/paint-axis.ts': ['now'],
  'src/view/machine/queues/paint-ladder.ts': ['now'],
  'src/view/machine/say-line.ts': ['move', 'moves'],
  'src/view/machine/tell.ts': ['background'],
  'src/view/machine/tell-area.ts': ['cpu', 'cpus', 'all', 'these', 'its own ', 'machine'],
  'src/view/machine/warmth.ts': ['memory'],
  'src/view/recorded/words.ts': ['none', 'on', 'off'],
  'src/view/replications/verdicts.ts': ['holds', 'fails', 'undecided'],
  'src/view/replications/RunBar.svelte': ['runs'],
  'src/view/replications/kinds.ts': [
    ...['validation', 'calibration', 'verification'],
    ...['measured', 'stated', 'inferred', 'theory', 'published'],
    ...['ok', 'invalid', 'failed', 'waiting'],
  ],
  'src/view/replications/PointTable.svelte': ['interval'],
  'src/view/setup/machine/miniature.ts': ['core', 'cores'],
  'src/view/timeline/rows.ts': ['node'],
};

/** In markup, outside of calls, attributes and lists, the result of an expression is read. */
const isShown = ({ scope, insideProgram, call, named, isInArray, funcName }) =>
  scope === 'script' && !insideProgram && !call && !named && !isInArray && funcName == null;

export function isWords({ msgStr, details }) {
  const text = msgStr.join('\n');
  const { scope, element, attribute, call, named, file } = details;
  if (!hasWords(text)) return false;
  if (scope === 'markup') return element !== 'code' && element !== 'style' && 'message';
  const name = attribute ?? named;
  if (SINGLE[file]?.includes(text) && named !== 'outcome' && call !== 'count') return 'message';
  const isAttribute = attribute !== undefined || named?.startsWith('@');
  const plainName = name?.replace('@', '');
  if (isAttribute && silent.test(plainName)) return false;
  if (attribute === 'name')
    return element && /^[A-Z]/.test(element) && /^[A-Z]/.test(text) && 'message';
  if (attribute !== undefined) return 'message';
  if (isCode(text) || isKeyLike(text)) return false;
  if (plainName && technical.test(plainName)) return false;
  if (call && technicalCalls.test(call)) return false;
  const trimmed = text.trim();
  if (/\s/.test(trimmed)) return 'message';
  if (/^\p{Lu}.*\p{Ll}/u.test(trimmed)) return /^[\p{L}…. -]+$/u.test(trimmed) && 'message';
  if (call === 'plural') return 'message';
  return (
    (isShown(details) || (Boolean(plainName) && wordNames.test(plainName))) &&
    /^[\p{Ll}-]+…?$/u.test(trimmed) &&
    'message'
  );
}
