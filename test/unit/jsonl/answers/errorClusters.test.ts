import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clusterOf, ErrorClusters, normaliseMessage } from '../../../../src/jsonl/answers/errorClusters';
import { runs } from '../../../helpers/runs';

describe('jsonl/answers/errorClusters', () => {
  it('removes from a message what differs between requests', () => {
    const examples: readonly (readonly [string, string])[] = [
      ['Your credit balance is too low to access the service.', 'Your credit balance is too low to access the service.'],
      ['prompt is too long: 210,034 tokens > 200000 maximum', 'prompt is too long: … tokens > … maximum'],
      ['messages.3.content.0.text: at least one character', 'messages.….content.….text: at least one character'],
      ["messages[12].role: 'robot' is not 'user'", 'messages[…].role: … is not …'],
      ['`temperature` and `top_p` cannot both be given; got `x7`', '`temperature` and `top_p` cannot both be given; got …'],
      ['Could not fetch https://example.com/a?b=1 (req_011CQ)', 'Could not fetch … (…)'],
      ['file 0b3c9a1e-77aa-4f5e-9c1d-aa00bb11cc22 not found', 'file … not found'],
      ['model: vendor-opus-4-5\n does  not exist', 'model: … does not exist'],
      ["It isn't the user's fault", "It isn't the user's fault"],
      ['ids: 1, 2, 3', 'ids: …'],
      ['Größe überschritten: 5', 'Größe überschritten: …'],
    ];
    for (const [message, wanted] of examples) {
      assert.equal(normaliseMessage(message), wanted);
    }
    assert.equal(normaliseMessage('a'.repeat(10_000_000)).length, 300);
  });

  it('gives the same cause the same key everywhere, and other causes others', () => {
    const facts = { status: 'failed', stopReason: undefined, errorType: 'api_error', message: 'It broke at 12' } as const;
    assert.deepEqual(clusterOf(facts), { key: '4867d04a4feba83c', kind: 'failed', errorType: 'api_error', message: 'It broke at …' });
    assert.equal(clusterOf({ ...facts, message: 'It broke at 99' })?.key, '4867d04a4feba83c');
    assert.notEqual(clusterOf({ ...facts, errorType: 'other' })?.key, '4867d04a4feba83c');
    assert.equal(clusterOf({ ...facts, status: 'succeeded' }), undefined);
    assert.deepEqual(clusterOf({ ...facts, status: 'cut_short', stopReason: 'pause_turn' })?.errorType, 'pause_turn');
    assert.deepEqual(clusterOf({ ...facts, status: 'canceled' })?.kind, 'canceled');
  });

  it('stays small when all messages differ', () => {
    const clusters = new ErrorClusters();
    const letters = (value: number) => value.toString(26).replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)] ?? '');
    for (let row = 0; row < 5000; row++) {
      const facts = {
        status: 'failed',
        stopReason: undefined,
        errorType: 'api_error',
        message: `no ${letters(row)}-${letters(row)}`,
      } as const;
      assert.notEqual(clusters.add(facts), undefined);
    }
    const list = clusters.list();
    assert.ok(list.length <= 1001);
    assert.equal(list[0]?.message, '…');
    assert.equal(
      list.reduce((sum, { count }) => sum + count, 0),
      5000,
    );
  });

  it('is fast and never lengthens a message, for any text', () => {
    const piece = fc.constantFrom('"', "'", '`', '…', '1', 'a', '-', '.', ' ', '://', '_', 'ä', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), parts => {
        const message = parts.join('');
        const once = normaliseMessage(message);
        assert.ok(once.length <= Math.max(message.length, 1) && once.length <= 300);
      }),
      { numRuns: runs(300) },
    );
  });
});
