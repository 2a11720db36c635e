import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import jsTokens from 'js-tokens';
import { checkSync } from 'recheck';
import { runs } from '../../helpers/runs';

/** Patterns that the checker cannot read or prove, and why they are harmless all the same. */
const justified: ReadonlyMap<string, string> = new Map([
  [String.raw`/"[^"\\]{0,200}"\s*[,:}\]]/y`, 'without the bound it is proven; the bound only makes the proof long'],
  [String.raw`/\bmax_tokens\b\D{0,40}?(\d+)\s*>\s*(\d+)/`, 'digits begin within 40 characters, and no second place to begin is among them'],
  [
    String.raw`/(?<!\\)\$(?:\d+|\{\d+(?::((?:\\.|[^}\\])*)|\|((?:\\.|[^,|\\])*)[^|]*\|)?\})/g`,
    'reads snippets of our own, which are a line long',
  ],
  [
    String.raw`/[{}[\],:]|"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy`,
    'sticky, and at each character one alternative only goes on; the first token that fails ends it',
  ],
]);

/** Patterns whose proof takes about a second or more: in the long form only, like those made of parts. */
const slow: ReadonlySet<string> = new Set([
  String.raw`/\b(authorization["']?\s*[:=]\s*["']?)(bearer\s+)?[^\s"',;]+/gi`,
  String.raw`/\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi`,
  String.raw`/\b(x-api-key["']?\s*[:=,]\s*["']?)[^\s"',;]+/gi`,
  String.raw`/\b(proxy-authorization["']?\s*[:=,]\s*["']?)[^\s"';]+(\s+[^\s"';]+)?/gi`,
  String.raw`/("(?:authorization_token|fallback_credit_token|access_token|refresh_token|token|api_key|client_secret|secret_value|password)"\s*:\s*")(?:[^"\\]|\\.)*"/gi`,
  '/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g',
  String.raw`/\bsk-[A-Za-z0-9_-]{6,}/g`,
  String.raw`/;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i`,
  '/^content-disposition:(.*)$/im',
  String.raw`/^(?:pass(?:word|wd)?|pwd|secret|token|x+|\*+|\.+|<.*>?|\[.*|\$.*|\{.*|%.*|your.*|my.*|change.*)$/i`,
  String.raw`/max_tokens[${'`'}'"]?\s*(?:must|has to|should) be (?:greater|larger|more) than\D*(?:budget_tokens)?\D*(\d+)?/`,
]);

/** Files that make patterns out of parts, each loaded to see which, and how those begin that cannot be proven, and why they are harmless. */
const makers: Readonly<Record<string, { readonly harmless?: readonly [begin: string, reason: string] }>> = {
  'features/ledger/orphans.ts': {},
  'features/requests/answers/withoutUnsafeLinks.ts': {
    harmless: ['/\\]\\(((?:', 'what each alternative reads ahead ends where another match of it can begin'],
  },
  'jsonl/exporting/maskLine.ts': {},
  'jsonl/querying/errorClusters.ts': {
    harmless: ['/(`[a-z_]', 'reads the first 2,000 characters of a message'],
  },
  'jsonl/survey/sensitiveText.ts': {},
};

/** Files whose patterns are what the user wrote, or a name of ours or the user's words with every sign in them taken as it is. */
const others: readonly string[] = [
  'emulator/files/readForm.ts',
  'features/requests/editor/editedKind.ts',
  'jsonl/expecting/expectation.ts',
  'jsonl/querying/parseQuery.ts',
  'shared/schema/jsonSchema.ts',
  'shared/schema/schemaKeywords.ts',
  'shared/session/rows/findRows.ts',
  'webview/session/toolbar/rowSearch.ts',
];

const isLong = runs(2, 1) > 1;
/** Milliseconds, for a pattern that cannot be proven at all: it is no measure of anything. */
const longest = 600_000;
process.env.RECHECK_SYNC_BACKEND = 'pure';

describe('project/linearPatterns', () => {
  const sources = readSourceTexts();
  const patterns = readPatterns(sources);

  it('take time that grows with the length of the text', () => {
    const asked = [...patterns].filter(([pattern]) => !justified.has(pattern) && (isLong || !slow.has(pattern)));
    const unproven = asked.filter(([pattern]) => !isLinear(pattern)).map(([pattern, file]) => `${file}: ${pattern}`);
    assert.deepEqual(unproven, []);
  });

  it('are there as long as something is said of them here', () => {
    assert.deepEqual(
      [...justified.keys(), ...slow].filter(pattern => !patterns.has(pattern)),
      [],
    );
  });

  it('do so too where they are made of parts', async () => {
    const unproven: string[] = [];
    for (const [file, { harmless: [begin] = [] }] of Object.entries(makers)) {
      const made = await patternsMadeBy(file);
      const asked = made.filter(pattern => begin === undefined || !pattern.startsWith(begin));
      assert.equal(made.length - asked.length, begin === undefined ? 0 : 1, file);
      assert.ok(made.length > 0, file);
      unproven.push(...asked.filter(pattern => isLong && !isLinear(pattern)).map(pattern => `${file}: ${pattern}`));
    }
    assert.deepEqual(unproven, []);
  });

  it('are made of parts in files that are known here', () => {
    const making = [...sources].filter(([, text]) => /\bRegExp\(/.test(text)).map(([file]) => file);
    assert.deepEqual(making.sort(), [...Object.keys(makers), ...others].sort());
  });

  it('would be found if they were not linear', () => {
    for (const pattern of [String.raw`/\s+$/`, '/^(a|a)*$/', '/a.*b.*c/s', String.raw`/x|(\d+)+y/i`]) {
      assert.equal(isLinear(pattern), false, pattern);
    }
  });
});

/** All patterns that are constructed while a file of `src/` loads, which it does anew: others may have loaded it here before. */
async function patternsMadeBy(file: string): Promise<readonly string[]> {
  const made: string[] = [];
  const original = globalThis.RegExp;
  const options = { bundle: true, write: false, platform: 'node', format: 'cjs' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [path.join('src', file)] });
  const script = new Script(`(function (require, module, exports) {${outputFiles[0]?.text}\n})`);
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args);
      made.push(String(pattern));
      return pattern;
    },
  });
  try {
    const module = { exports: {} };
    script.runInThisContext()(createRequire(import.meta.url), module, module.exports);
  } finally {
    globalThis.RegExp = original;
  }
  return made;
}

/** Every TypeScript file of `src/` by its path there. */
function readSourceTexts(): ReadonlyMap<string, string> {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
  return new Map(names.map(name => [name.replaceAll('\\', '/'), readFileSync(path.join('src', name), 'utf8')]));
}

/** Every literal with its flags, and a file it stands in. */
function readPatterns(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const patterns = new Map<string, string>();
  for (const [name, text] of sources) {
    for (const { type, value } of jsTokens(text, { jsx: name.endsWith('x') })) {
      if (type === 'RegularExpressionLiteral') {
        patterns.set(value, name);
      }
    }
  }
  return patterns;
}

/** Whether each alternative of a pattern is linear, and so all of them one after the other. */
function isLinear(pattern: string): boolean {
  const end = pattern.lastIndexOf('/');
  const flags = pattern.slice(end + 1);
  const source = flags.includes('i') ? inSmallLetters(pattern.slice(1, end)) : pattern.slice(1, end);
  return alternativesOf(source).every(alternative => {
    // What repeats nothing without bound reads a bounded piece of the text from each place.
    if (!/[*+]|\{\d+,\}/.test(withoutCharacters(alternative))) {
      return true;
    }
    return checkSync(alternative, flags.replace('i', ''), { checker: 'automaton', timeout: longest }).status === 'safe';
  });
}

/** Upper and lower case are one where case is ignored, so that one of them tells it all; it is far less to look at. */
function inSmallLetters(source: string): string {
  return source.replace(/\\[pP]\{[^}]*\}|\\.|[A-Z]/g, part => (part.length === 1 ? part.toLowerCase() : part));
}

/** The outermost alternatives of a pattern. */
function alternativesOf(source: string): readonly string[] {
  const bare = withoutCharacters(source);
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, character] of [...bare].entries()) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === '|' && depth === 0) {
      parts.push(source.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, source.slice(start)];
}

/** A pattern of the same length in which only what groups, parts and repeats is left. */
function withoutCharacters(source: string): string {
  return source.replace(/\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:)?/gs, part =>
    part.startsWith('(') ? '('.padEnd(part.length, '-') : '-'.repeat(part.length),
  );
}
