import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../../../../src/jsonl/arranging/random';
import { changeRequests } from '../../../../src/jsonl/retrying/changeRequests';
import { nextMaxTokens } from '../../../../src/jsonl/retrying/remedyOf';
import type { RequestChange } from '../../../../src/jsonl/retrying/retryingJobs';
import { runs } from '../../../helpers/runs';
import { quiet, RetryFiles } from './retryFiles';

const odd = (id: string, maxTokens: string, text = 'Übung \u2028 "x"') =>
  `{ "custom_id":"${id}","params" : {"max_tokens":${maxTokens} , "model":"m","x":1.50,"messages":[{"content":${JSON.stringify(text)}}]}}`;

describe('jsonl/retrying/changeRequests', () => {
  let files: RetryFiles;

  beforeEach(() => {
    files = new RetryFiles(mkdtempSync(path.join(tmpdir(), 'change-requests-')));
  });

  afterEach(() => rmSync(files.folder, { recursive: true, force: true }));

  it('changes the same bytes in the file itself, and no others', async () => {
    for (let seed = 0; seed < runs(40, 20); seed++) {
      const random = createRandom(`change ${seed}`);
      const lines = Array.from({ length: 1 + random.below(12) }, (_, index) => {
        const kind = random.below(6);
        const line = odd(`r${index}`, String(random.below(1000)), '\u{1f600}é'.repeat(random.below(3)));
        return kind === 0
          ? ''
          : kind === 1
            ? `not json ${index}`
            : `${'\t'.repeat(random.below(2))}${line}${random.below(2) === 0 ? '\r' : ''}`;
      });
      const text = `${random.below(2) === 0 ? '\ufeff' : ''}${lines.join('\n')}${random.below(2) === 0 ? '\n' : ''}`;
      const sent = lines.flatMap((line, index) => (line.includes('"custom_id"') ? [{ line, index }] : []));
      const file = files.submit('a', sent.map(({ line }) => `${line.trim()}\n`).join(''));
      writeFileSync(file.path, text);
      const numbers = Uint32Array.from(sent.keys()).filter(() => random.below(2) === 0);
      const change: RequestChange =
        seed % 2 === 0 ? { kind: 'lower_max_tokens', to: 500 } : { kind: 'raise_each', bounds: [['m', 700]], least: 256, most: 700 };
      const changed = (value: number) => (seed % 2 === 0 ? Math.min(value, 500) : (nextMaxTokens(value, 700) ?? value));
      const source = { file, change, numbers };
      const preview = await changeRequests({ ...source, isWritten: false }, quiet);
      assert.equal(files.read('a'), text, `seed ${seed}`);
      const chosen = new Set([...numbers].map(number => sent[number]?.index));
      const changedLine = (line: string, index: number) =>
        chosen.has(index) ? line.replace(/("max_tokens":)(\d+)/, (_, key, value) => `${key}${changed(Number(value))}`) : line;
      const expected = text.replace(lines.join('\n'), () => lines.map(changedLine).join('\n'));
      const edited = [...lines];
      for (let at = 0; at < preview.edits.length; at += 4) {
        const [line = 0, start, end, place = 0] = preview.edits.subarray(at, at + 4);
        edited[line] = `${edited[line]?.slice(0, start)}${preview.texts[place]}${edited[line]?.slice(end)}`;
      }
      assert.equal(edited.join('\n'), lines.map(changedLine).join('\n'), `seed ${seed}`);
      await changeRequests({ ...source, isWritten: true }, quiet);
      assert.equal(files.read('a'), expected, `seed ${seed}`);
    }
  });
});
