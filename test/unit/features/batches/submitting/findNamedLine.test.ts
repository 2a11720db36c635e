import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNamedLine } from '../../../../../src/features/batches/groups/showSent';

describe('features/batches/submitting/findNamedLine', () => {
  let folder: string;
  let lines: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lines-'));
    lines = path.join(folder, 'lines.tsv');
    writeFileSync(lines, '0\tfirst\n2\tsecond\n3\ttwice\n7\ttwice\n');
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const cases: readonly (readonly [message: string, line: number | undefined])[] = [
    ['requests.1.params.max_tokens: Input should be greater than 0', 2],
    ['requests[0].custom_id: String should match pattern', 0],
    ['requests.99.params: missing', undefined],
    ['custom_id "second" is not allowed', 2],
    ["custom_id must be unique within a batch: 'twice'", 7],
    ['\u201cfirst\u201d is taken', 0],
    ['custom_id must be unique within a batch', undefined],
    ['"unknown" is wrong', undefined],
    ['requests: at most 100000 items', undefined],
  ];
  for (const [message, line] of cases) {
    it(`reads ${line === undefined ? 'no line' : `line ${line}`} from: ${message}`, async () => {
      assert.equal(await findNamedLine(lines, message), line);
    });
  }

  it('names no line without a line map', async () => {
    assert.equal(await findNamedLine(path.join(folder, 'none'), 'requests.1.params'), undefined);
  });
});
