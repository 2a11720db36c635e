import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import jsTokens from 'js-tokens';
import { checkSync } from 'recheck';

/** Harmless patterns that the checker can't read or prove. */
const harmless: readonly string[] = [
  // The checker proves the pattern without the bound. The proof with the bound takes too long.
  String.raw`/"[^"\\]{0,200}"\s*[,:}\]]/y`,
  // The first digit is within 40 characters. A match can start at only one digit.
  String.raw`/\bmax_tokens\b\D{0,40}?(\d+)\s*>\s*(\d+)/`,
];

/** Files that build patterns when they are loaded. A value is the start of a harmless pattern that can't be proven. */
const makers: Readonly<Record<string, string | undefined>> = {
  'common/text/redactValue.ts': undefined,
  // Each lookahead ends where the next match can start, so no text is searched twice.
  'features/requests/answers/answerHover.ts': '/\\]\\(((?:',
  'jsonl/exporting/maskLine.ts': undefined,
  // The pattern is applied to at most 2,000 characters.
  'jsonl/answers/errorClusters.ts': '/(`[a-z_]',
  'jsonl/survey/sensitiveText.ts': undefined,
  'shared/maskedJson.ts': undefined,
  'shared/redaction.ts': undefined,
};

/** Files with patterns that the user enters, or that match a literal name, word or delimiter. */
const others: readonly string[] = [
  'features/requests/editor/requestText.ts',
  'jsonl/building/csvRows.ts',
  'jsonl/expecting/expectation.ts',
  'jsonl/querying/parseQuery.ts',
  'shared/schema/jsonSchema.ts',
  'shared/schema/schemaKeywords.ts',
  'shared/session/rows/rowText.ts',
];

/**
 * File of patterns that took long to prove, and the version of the checker that proved these. To write the file with new proofs, run
 * `TEST_WRITE_PROOFS=yes node test/run.mjs unit --only project/linearPatterns`.
 */
const proofsFile = 'test/fixtures/linearPatterns.json';
const isWriting = process.env.TEST_WRITE_PROOFS === 'yes';
const checker = `recheck ${(createRequire(import.meta.url)('recheck/package.json') as { readonly version: string }).version}`;
const written = JSON.parse(readFileSync(proofsFile, 'utf8')) as { readonly checker: string; readonly proven: readonly string[] };
const proven = new Set(isWriting ? [] : written.proven);
const used = new Set<string>();
/** Proofs that take at least this long are written to the file, in milliseconds. */
const longProof = 25;
/** Time limit for a pattern that cannot be proven, in milliseconds. */
const longest = 600_000;
process.env.RECHECK_SYNC_BACKEND = 'pure';

describe('project/linearPatterns @ci', () => {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name));
  const sources = new Map(names.map(name => [name.replaceAll('\\', '/'), readFileSync(path.join('src', name), 'utf8')]));

  it('take linear time', () => {
    const patterns = readPatterns(sources);
    const unproven = [...patterns].filter(([pattern]) => !harmless.includes(pattern) && !isLinear(pattern));
    assert.deepEqual(unproven, []);
    assert.ok(harmless.every(pattern => patterns.has(pattern)));
  });

  it('do so too if they are composed', async () => {
    const making = [...sources].filter(([, text]) => /\bRegExp\(/.test(text)).map(([file]) => file);
    assert.deepEqual(making.sort(), [...Object.keys(makers), ...others].sort());
    for (const [file, start] of Object.entries(makers)) {
      const created = await patternsMadeBy(file);
      const asked = created.filter(pattern => start === undefined || !pattern.startsWith(start));
      assert.equal(created.length - asked.length, start === undefined ? 0 : 1, file);
      assert.ok(created.length > 0, file);
      assert.deepEqual(
        asked.filter(pattern => !isLinear(pattern)),
        [],
        file,
      );
    }
  });

  it('have proofs of this version of the checker, all of them needed', () => {
    if (isWriting) {
      writeFileSync(proofsFile, `${JSON.stringify({ checker, proven: [...used].sort() }, undefined, 2)}\n`);
    } else {
      assert.equal(written.checker, checker, 'Write the proofs again.');
    }
    const stale = [...proven].filter(name => !used.has(name));
    assert.deepEqual(stale, []);
  });

  it("would be found if they weren't linear", () => {
    for (const pattern of [String.raw`/\s+$/`, '/^(a|a)*$/', '/a.*b.*c/s', String.raw`/x|(\d+)+y/i`]) {
      assert.equal(isLinear(pattern), false, pattern);
    }
  });
});

/** Returns the patterns that a file of `src/` constructs while a fresh copy of it loads. */
async function patternsMadeBy(file: string): Promise<readonly string[]> {
  const created: string[] = [];
  const original = globalThis.RegExp;
  const options = { bundle: true, write: false, platform: 'node', format: 'cjs' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [path.join('src', file)] });
  const script = new Script(`(function (require, module, exports) {${outputFiles[0]?.text}\n})`);
  globalThis.RegExp = new Proxy(original, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args);
      created.push(String(pattern));
      return pattern;
    },
  });
  try {
    const module = { exports: {} };
    script.runInThisContext()(createRequire(import.meta.url), module, module.exports);
  } finally {
    globalThis.RegExp = original;
  }
  return created;
}

/** Returns every regular expression literal in the sources, with the name of a file that contains it. */
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

/** Returns whether a pattern is linear. A pattern is linear if each of its alternatives is linear. */
function isLinear(pattern: string): boolean {
  const end = pattern.lastIndexOf('/');
  const flags = pattern.slice(end + 1);
  const source = flags.includes('i') ? inSmallLetters(pattern.slice(1, end)) : pattern.slice(1, end);
  return alternativesOf(source).every(alternative => {
    // Without an unbounded repetition a match has a bounded length.
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

/** Lowercases a pattern that ignores case. This makes the proof much shorter. */
function inSmallLetters(source: string): string {
  return source.replace(/\\[pP]\{[^}]*\}|\\.|[A-Z]/g, part => (part.length === 1 ? part.toLowerCase() : part));
}

/** Returns the outermost alternatives of a pattern. */
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

/** Replaces each character of a pattern with a dash, except groups, alternatives and repetitions. */
function withoutCharacters(source: string): string {
  return source.replace(/\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:)?/gs, part =>
    part.startsWith('(') ? '('.padEnd(part.length, '-') : '-'.repeat(part.length),
  );
}
