import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeLine, LineScanner } from '../../../../src/jsonl/scanning/lineScanner';
import { runs } from '../../../helpers/runs';

function scan(chunks: readonly Uint8Array[]) {
  const scanner = new LineScanner();
  const lines = [];
  for (const chunk of chunks) {
    // The owner of a chunk may overwrite it once its lines were delivered.
    const owned = new Uint8Array(chunk);
    for (const line of scanner.push(owned)) {
      lines.push({ ...line, bytes: Buffer.from(line.bytes).toString('latin1') });
    }
    owned.fill(0);
  }
  for (const line of scanner.end()) {
    lines.push({ ...line, bytes: Buffer.from(line.bytes).toString('latin1') });
  }
  return { lines, hasByteOrderMark: scanner.hasByteOrderMark };
}

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('jsonl/scanning/lineScanner', () => {
  it('splits at LF only', () => {
    const { lines } = scan([bytes('a\rb\u2028c\u0085d\n\ne')]);
    assert.deepEqual(
      lines.map(line => [line.line, line.offset, Buffer.from(line.bytes, 'latin1').toString(), line.terminated]),
      [
        [0, 0, 'a\rb\u2028c\u0085d', true],
        [1, 11, '', true],
        [2, 12, 'e', false],
      ],
    );
  });

  it('leaves out one CR before LF and counts it in the offsets', () => {
    const { lines } = scan([bytes('a\r\nb\r\r\nc\r')]);
    assert.deepEqual(
      lines.map(line => [line.offset, line.bytes]),
      [
        [0, 'a'],
        [3, 'b\r'],
        [7, 'c'],
      ],
    );
  });

  it('leaves out a byte order mark and tells it', () => {
    const { lines, hasByteOrderMark } = scan([bytes('\ufeffa\n\ufeffb')]);
    assert.equal(hasByteOrderMark, true);
    assert.deepEqual(
      lines.map(line => [line.offset, Buffer.from(line.bytes, 'latin1').toString()]),
      [
        [3, 'a'],
        [5, '\ufeffb'],
      ],
    );
  });

  it('gives no line for an empty file, and none after the last LF', () => {
    assert.deepEqual(scan([]).lines, []);
    assert.deepEqual(scan([bytes('')]).lines, []);
    assert.deepEqual(scan([bytes('\ufeff')]).lines, []);
    assert.equal(scan([bytes('a\n')]).lines.length, 1);
  });

  it('gives the same lines for any chunking', () => {
    const piece = fc.constantFrom('\n', '\r', '\r\n', '\ufeff', 'a', 'é', '😀', '{"a":1}', '\u2028', '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(60), { maxLength: 10 }), (pieces, cuts) => {
        const whole = bytes(pieces.join(''));
        const sorted = cuts.map(cut => Math.min(cut, whole.length)).sort((a, b) => a - b);
        const chunks = [...sorted, whole.length].map((cut, index) => whole.subarray(sorted[index - 1] ?? 0, cut));
        assert.deepEqual(scan(chunks), scan([whole]));
        for (const line of scan(chunks).lines) {
          const end = line.offset + line.bytes.length;
          assert.equal(whole.subarray(line.offset, end).toString('latin1'), line.bytes);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  it('tells the column where bytes stop being UTF-8', () => {
    const broken = (before: string, bad: number[], after: string) =>
      decodeLine(Buffer.concat([bytes(before), Buffer.from(bad), bytes(after)])).invalidAt;
    assert.equal(decodeLine(bytes('{"é😀"}')).invalidAt, undefined);
    assert.equal(broken('', [0xff], ''), 0);
    assert.equal(broken('aé😀', [0x80], 'b'), 4);
    assert.equal(broken('aé😀', [0xf0, 0x9f], '😀b'), 4);
    assert.equal(broken('😀😀', [0xed, 0xa0, 0x80], 'xyz'), 4);
    assert.equal(broken('ab', [0xe2, 0x82], ''), 2);
  });
});
