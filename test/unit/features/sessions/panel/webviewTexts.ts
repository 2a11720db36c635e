import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** All browser code in a folder. */
export function webviewFiles(of: string): readonly string[] {
  return readdirSync(of, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => path.join(of, file));
}

/** Every English text that a panel's browser code asks a translation for, and what stands in `t(...)` that is neither text nor table. */
export function readWebviewTexts(files: readonly string[]): {
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
      for (const text of found) {
        texts.add(text);
      }
      if (found.length === 0) {
        unknown.push(`${file}: t(${argument.trim()})`);
      }
    }
  }
  return { texts, unknown };
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
