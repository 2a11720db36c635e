import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ByteProgress, EventStreamProgress } from '../../../../src/client/transport/bodyProgress';
import { runs } from '../../../helpers/runs';

describe('client/transport/bodyProgress', () => {
  const alive = (progress: EventStreamProgress, ...pieces: string[]) => pieces.map(piece => progress.moved(Buffer.from(piece)));

  it('counts bytes', () => {
    const progress = new ByteProgress(10);
    assert.deepEqual(
      [4, 4, 4, 4, 4, 20, 9].map(size => progress.moved(Buffer.alloc(size))),
      [false, false, true, false, false, true, false],
    );
  });

  it('treats a finished comment, event or bare line as a sign of life', () => {
    const progress = new EventStreamProgress(1000);
    assert.deepEqual(alive(progress, ': he', 're\n', '\n', 'event: a\n', 'data: 1\n', '\n'), [false, true, true, false, false, true]);
    assert.deepEqual(alive(progress, 'data: 1\r\n\r', '\n', 'data: 1\r', '\r'), [true, false, false, true]);
  });

  it("doesn't treat an unfinished comment as a sign of life, however long it is", () => {
    const progress = new EventStreamProgress(10);
    assert.deepEqual(alive(progress, ':', 'a'.repeat(1000), ' data: x', '\n'), [false, false, false, true]);
  });

  it('treats many bytes of an event as a sign of life, up to the limit of an event', () => {
    const progress = new EventStreamProgress(10);
    assert.deepEqual(alive(progress, 'data: 1', '234567', 'a'), [false, true, false]);
    const piece = Buffer.alloc(16 * 1024 * 1024, 'a');
    assert.deepEqual(
      Array.from({ length: 5 }, () => progress.moved(piece)),
      [true, true, true, false, false],
    );
  });

  it('detects the same signs wherever a stream is cut', () => {
    const token = fc.constantFrom(':', 'a', '\n', '\r', '\r\n', 'data: x', '\n\n');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), tokens => {
        const text = tokens.join('');
        const whole = new EventStreamProgress(1_000_000).moved(Buffer.from(text));
        const single = new EventStreamProgress(1_000_000);
        const cut = [...text].map(character => single.moved(Buffer.from(character)));
        assert.equal(cut.includes(true), whole);
      }),
      { numRuns: runs(300, 100) },
    );
  });
});
