import assert from 'node:assert/strict';
import { keyProblem } from '../../../../../src/features/connection/flows/keyEntry';

describe('features/connection/flows/keyEntry', () => {
  const problemOf = (text: string) => keyProblem(text, words => words);

  it('accepts a key with white space around it', () => {
    assert.equal(problemOf(' \tsk-abc_123.x~\r\n'), undefined);
  });

  it('rejects text that no header can contain or that is more than a key', () => {
    assert.equal(problemOf(' \n'), 'Enter the API key');
    for (const text of ['sk-a\nsk-b', 'sk-a b']) {
      assert.equal(problemOf(text), 'Remove spaces and invisible characters.');
    }
    for (const text of ['sk-ä', 'sk-a\u200bb', 'sk-a\u0007b', 'k'.repeat(4097)]) {
      assert.equal(problemOf(text), "This isn't a valid key.");
    }
    for (const text of ['Bearer sk-a', 'X-Api-Key: sk-a', 'Authorization:sk-a']) {
      assert.equal(problemOf(text), 'Enter only the key, without "Bearer".');
    }
  });
});
