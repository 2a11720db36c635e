import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import jsTokens from 'js-tokens';
import { checkSync } from 'recheck';

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

/** Files that make patterns out of parts, each loaded to see which, and how those begin that cannot be proven, and why they are harmless. */
const makers: Readonly<Record<string, { readonly harmless?: readonly [begin: string, reason: string] }>> = {
  'features/assistant/maskAssigned.ts': {},
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

/**
 * What took long to prove is written down with the version of the checker that proved it, so that it is proven once: to do it again
 * and write it anew, run `TEST_WRITE_PROOFS=yes node test/run.mjs unit --only project/linearPatterns`.
 */
const proofsFile = 'test/fixtures/linearPatterns.json';
const isWriting = process.env.TEST_WRITE_PROOFS === 'yes';
const checker = `recheck ${(createRequire(import.meta.url)('recheck/package.json') as { readonly version: string }).version}`;
const proven = isWriting ? new Set<string>() : readProofs();
const used = new Set<string>();
/** Proofs that took at least so many milliseconds are written down; the others are done every time. */
const longProof = 25;
/** Milliseconds, for a pattern that cannot be proven at all: it is no measure of anything. */
const longest = 600_000;
process.env.RECHECK_SYNC_BACKEND = 'pure';

describe('project/linearPatterns', () => {
  after(() => {
    if (isWriting) {
      writeFileSync(proofsFile, `${JSON.stringify({ checker, proven: [...used].sort() }, undefined, 2)}\n`);
    }
  });

  const sources = readSourceTexts();
  const patterns = readPatterns(sources);

  it('take time that grows with the length of the text', () => {
    const asked = [...patterns].filter(([pattern]) => !justified.has(pattern));
    const unproven = asked.filter(([pattern]) => !isLinear(pattern)).map(([pattern, file]) => `${file}: ${pattern}`);
    assert.deepEqual(unproven, []);
  });

  it('are there as long as something is said of them here', () => {
    assert.deepEqual(
      [...justified.keys()].filter(pattern => !patterns.has(pattern)),
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
      unproven.push(...asked.filter(pattern => !isLinear(pattern)).map(pattern => `${file}: ${pattern}`));
    }
    assert.deepEqual(unproven, []);
  });

  it('are made of parts in files that are known here', () => {
    const making = [...sources].filter(([, text]) => /\bRegExp\(/.test(text)).map(([file]) => file);
    assert.deepEqual(making.sort(), [...Object.keys(makers), ...others].sort());
  });

  it('are proven anew once the checker is another, and no proof is kept that nothing asks for', () => {
    const { checker: by } = JSON.parse(readFileSync(proofsFile, 'utf8')) as { readonly checker: string };
    assert.equal(isWriting ? checker : by, checker, 'write the proofs anew');
    assert.deepEqual(
      [...proven].filter(name => !used.has(name)),
      [],
    );
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
    return isProven(alternative, flags.replace('i', ''));
  });
}

function isProven(source: string, flags: string): boolean {
  const name = `/${source}/${flags}`;
  if (proven.has(name)) {
    used.add(name);
    return true;
  }
  const began = performance.now();
  const isSafe = checkSync(source, flags, { checker: 'automaton', timeout: longest }).status === 'safe';
  if (isWriting && isSafe && performance.now() - began >= longProof) {
    used.add(name);
  }
  return isSafe;
}

/** What is proven by this version of the checker; nothing of another. */
function readProofs(): ReadonlySet<string> {
  const written = JSON.parse(readFileSync(proofsFile, 'utf8')) as { readonly checker: string; readonly proven: readonly string[] };
  return new Set(written.checker === checker ? written.proven : []);
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
