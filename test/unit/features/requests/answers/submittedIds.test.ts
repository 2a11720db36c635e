import assert from 'node:assert/strict';
import { readSubmittedIds } from '../../../../../src/features/requests/answers/submissionAnswerFiles';

const parse = (text: string) => readSubmittedIds(Buffer.from(text));

describe('features/requests/answers/submittedIds', () => {
  it('finds the requests of a submission by ID', async () => {
    const sent = await parse('0\ta\n3\t__proto__\n4\té \n');
    assert.deepEqual(
      ['a', '__proto__', 'é ', 'é', 'toString'].map(id => sent.findText(id)),
      [0, 1, 2, -1, -1],
    );
    assert.equal(sent.size, 3);
  });

  it('reads only complete lines of a list that a crash cut off', async () => {
    const sent = await parse('0\ta\n1\tb');
    assert.equal(sent.findText('b'), -1);
    assert.equal((await parse('')).size, 0);
  });
});
