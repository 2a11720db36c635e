import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { findNamedLine } from '../../../../../src/features/batches/groups/showSent';
import { useFolder } from '../../../../helpers/useFolder';

describe('features/batches/submitting/findNamedLine', () => {
  const folder = useFolder();
  let lines: string;

  beforeEach(() => {
    lines = folder('lines.tsv');
    writeFileSync(lines, '0\tfirst\n2\tsecond\n3\ttwice\n7\ttwice\n');
  });

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
    assert.equal(await findNamedLine(folder('none'), 'requests.1.params'), undefined);
  });
});
