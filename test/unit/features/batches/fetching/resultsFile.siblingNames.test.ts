import assert from 'node:assert/strict';
import { fileNameOf, resultsNameOf, siblingName } from '../../../../../src/features/batches/fetching/resultsFile';

describe('features/batches/fetching/resultsFile', () => {
  it('names a file beside the source after it', () => {
    assert.equal(siblingName('requests.jsonl', 'results'), 'requests.results.jsonl');
    assert.equal(siblingName('a.b.NDJSON', 'retry'), 'a.b.retry.jsonl');
    assert.equal(siblingName('Untitled-1', 'results'), 'Untitled-1.results.jsonl');
    assert.equal(siblingName('.jsonl', 'results'), 'requests.results.jsonl');
  });

  it("keeps names within the file system's limits, with room for a number and a temporary suffix", () => {
    for (const stem of ['x'.repeat(249), 'ä'.repeat(124), '\u{1f600}'.repeat(62)]) {
      const name = siblingName(`${stem}.jsonl`, 'results');
      assert.ok(Buffer.byteLength(name) <= 220, `${Buffer.byteLength(name)}`);
      assert.ok(name.endsWith('.results.jsonl') && !name.includes('\ufffd') && name.isWellFormed());
      assert.equal(siblingName(`${stem}.jsonl`, 'results'), name);
    }
    const [one, other] = ['a', 'b'].map(end => siblingName(`${'x'.repeat(240)}${end}.jsonl`, 'results'));
    assert.notEqual(one, other);
    assert.equal(siblingName(`${'x'.repeat(180)}.jsonl`, 'retry'), `${'x'.repeat(180)}.retry.jsonl`);
  });

  it('returns the file name of a source URI without path separators', () => {
    assert.equal(fileNameOf('file:///home/ada/my%20requests.jsonl'), 'my requests.jsonl');
    assert.equal(fileNameOf('file:///home/..%2F..%2Fetc.jsonl'), '..-..-etc.jsonl');
    assert.equal(fileNameOf('untitled:Untitled-1'), 'untitled-Untitled-1');
  });

  it('turns any batch ID into a plain file name', () => {
    assert.equal(resultsNameOf('msgbatch_01ab'), 'msgbatch_01ab.results.jsonl');
    assert.equal(resultsNameOf('../../x:y'), 'x-y.results.jsonl');
    assert.equal(resultsNameOf('CON'), '_CON.results.jsonl');
    assert.equal(resultsNameOf(''), 'batch.results.jsonl');
    assert.ok(resultsNameOf('x'.repeat(300)).length < 100);
  });
});
