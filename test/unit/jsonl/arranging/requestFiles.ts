import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { PassContext } from '../../../../src/jsonl/files/lineFile';
import { requestLine } from '../requestLines';

/** A job context without progress and cancellation. */
export const quiet: PassContext = { throwIfAborted: () => {}, progress: () => {} };

export const params = (words = 'Hello', model = 'm') =>
  `{"model":"${model}","max_tokens":1,"messages":[{"role":"user","content":${JSON.stringify(words)}}]}`;
export const request = (id: string, words?: string, model?: string) => `{"custom_id":"${id}","params":${params(words, model)}}`;

/** Files in a folder that is deleted after the tests of the surrounding `describe`. */
export class TestFiles {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'request-files-'));

  constructor() {
    after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.at(name), content);
    return this.at(name);
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }
}

/** Whole requests, bare params, blank and broken lines, with optional white space around them. */
const anyLine = fc.oneof(
  { weight: 6, arbitrary: requestLine },
  { weight: 2, arbitrary: fc.constantFrom(params('one'), ` ${params('two')}`, `${params('three')}\t`, params('x'.repeat(300))) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\t') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"a":', 'words', '[1]', '{"custom_id":"line-3","params":{}}', '{"custom_id":"line-2","params":{}} '),
  },
);

/** Text of a file of any lines, with or without byte order mark, CR LF and final newline. */
export const anyFile = fc
  .record({
    lines: fc.array(anyLine, { maxLength: 12 }),
    mark: fc.constantFrom('', '\ufeff'),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
  })
  .map(({ lines, mark, lineBreak, last }) => `${mark}${lines.join(lineBreak)}${last && lines.length > 0 ? lineBreak : ''}`);

/** Returns the non-blank lines of a file, without LF. */
export function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter(line => /[^ \t\r]/.test(line));
}

/** Returns the kind of a non-empty line, by its fields. */
export function kindOf(line: string): 'request' | 'params' | 'broken' {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'broken';
  }
  const has = (field: string) => typeof value === 'object' && value !== null && Object.hasOwn(value, field);
  return has('custom_id') || has('params') ? 'request' : ['messages', 'model', 'max_tokens'].some(has) ? 'params' : 'broken';
}
