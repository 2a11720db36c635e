import assert from 'node:assert/strict';
import { isAnswered } from '../../../src/common/isAnswered';

describe('common/isAnswered', () => {
  it('takes a refusal for an answer, and a question that stays open for none', async () => {
    assert.equal(await isAnswered(Promise.resolve(), 60_000), true);
    assert.equal(await isAnswered(Promise.reject(new Error('no such command')), 60_000), true);
    assert.equal(await isAnswered(new Promise(() => undefined), 1), false);
  });

  it('survives a refusal that comes too late', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const question = new Promise((_, reject) => {
      refuse = reject;
    });
    assert.equal(await isAnswered(question, 1), false);
    refuse(new Error('late'));
    await assert.rejects(question);
  });
});
