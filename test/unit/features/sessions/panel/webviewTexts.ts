import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { whyNotTexts } from '../../../../../src/shared/session/sessionView';

const folder = 'src/webview/session';

/** Files with texts that the panel shares with other surfaces. */
const sharedWords = ['src/shared/session/rows/rowWords.ts', 'src/shared/session/facts/sessionState.ts'];

/** Texts that reach `t` as a value, by the words that stand in its place in the code. */
const tables: Readonly<Record<string, readonly string[]>> = {
  name: fieldsOf('toolbar/kindGroups.ts', 'name'),
  does: fieldsOf('timeline/timelineKeys.ts', 'does'),
  whyNot: Object.values(whyNotTexts),
};

/** All browser code in a folder. */
export function webviewFiles(of: string): readonly string[] {
  return readdirSync(of, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => path.join(of, file));
}

/** Every English text that a panel's browser code asks a translation for, and what stands in `t(...)` that is neither text nor table. */
export function readWebviewTexts(files: readonly string[] = [...webviewFiles(folder), ...sharedWords]): {
  readonly texts: ReadonlySet<string>;
  readonly unknown: readonly string[];
} {
  const texts = new Set<string>();
  const unknown: string[] = [];
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    for (const call of source.matchAll(/(?<![\w.$])t\(/g)) {
      const argument = firstArgument(source, call.index + 2);
      // `t` is declared and handed on, too.
      if (/^\s*(?:text\b|$)/.test(argument)) {
        continue;
      }
      const found = [...argument.matchAll(/(?<![=!]==?\s*)'((?:[^'\\]|\\.)*)'|(?<![=!]==?\s*)"((?:[^"\\]|\\.)*)"/g)].map(
        ([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'),
      );
      const named = tables[argument.trim()] ?? [];
      for (const text of [...found, ...named]) {
        texts.add(text);
      }
      if (found.length === 0 && named.length === 0) {
        unknown.push(`${file}: t(${argument.trim()})`);
      }
    }
  }
  return { texts, unknown };
}

/** Texts that a table in a file of the panel has in one of its fields. */
function fieldsOf(file: string, field: string): readonly string[] {
  const source = readFileSync(path.join(folder, file), 'utf8');
  return [...source.matchAll(new RegExp(`\\b${field}: '([^']+)'`, 'g'))].map(([, text]) => text ?? '');
}

function firstArgument(source: string, start: number): string {
  let depth = 0;
  let quote = '';
  for (let at = start; at < source.length; at++) {
    const character = source.charAt(at);
    if (quote !== '') {
      if (character === '\\') {
        at++;
      } else if (character === quote) {
        quote = '';
      }
    } else if (character === "'" || character === '"' || character === '`') {
      quote = character;
    } else if ('([{'.includes(character)) {
      depth++;
    } else if (')]}'.includes(character) || (character === ',' && depth === 0)) {
      if (depth === 0) {
        return source.slice(start, at);
      }
      depth--;
    }
  }
  return source.slice(start);
}
