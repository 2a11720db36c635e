import assert from 'node:assert/strict';
import { describeConfirm, describeParts, describeRest } from '../../../../../src/features/batches/groups/stopPresentation';

const t = (message: string, ...args: (string | number)[]) => message.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)]));
const overloaded = { part: 0, words: 'The service is overloaded.' };

describe('features/batches/groups/stopPresentation', () => {
  it('tells what failed from what may still become a batch', () => {
    const open = describeRest('cancel', 'large.jsonl', { failures: [], open: [1] }, t);
    assert.equal(open?.message, 'Part 2 of large.jsonl had left already and may become a batch.');
    const both = describeRest('delete', 'large.jsonl', { failures: [overloaded], open: [1, 2] }, t);
    assert.equal(
      both?.message,
      '1 of the batches of large.jsonl could not be deleted: The service is overloaded. Parts 2, 3 of large.jsonl had left already and may become batches.',
    );
    assert.deepEqual(both?.detail.split('\n').length, 3);
    assert.match(both?.detail ?? '', /^Part 1: The service is overloaded\.\nPart 2: it had left already/);
  });

  it('counts batches on its button, and says of what is being sent that it stops', () => {
    const on = (act: 'cancel' | 'delete', batches: number, isSending: boolean) => describeConfirm(act, { batches, isSending }, t);
    assert.deepEqual([on('cancel', 1, false), on('cancel', 3, false)], ['Cancel 1 Batch', 'Cancel 3 Batches']);
    assert.deepEqual([on('delete', 1, false), on('delete', 3, false)], ['Delete 1 Batch', 'Delete 3 Batches']);
    assert.deepEqual([on('cancel', 0, true), on('cancel', 1, true)], ['Stop Sending', 'Stop Sending and Cancel 1 Batch']);
    assert.equal(on('delete', 2, true), 'Stop Sending and Delete 2 Batches');
  });

  it('says nothing when nothing stayed', () => {
    assert.equal(describeRest('cancel', 'large.jsonl', { failures: [], open: [] }, t), undefined);
  });

  it('names the first batches, and parts that have none yet', () => {
    assert.equal(
      describeParts(
        [
          { id: 'msgbatch_1', index: 0 },
          { id: undefined, index: 1 },
        ],
        t,
      ),
      'msgbatch_1, part 2 (being sent)',
    );
    const many = Array.from({ length: 12 }, (_, index) => ({ id: `b${index}`, index }));
    assert.match(describeParts(many, t), /^b0, .*b9, and 2 more$/);
  });
});
