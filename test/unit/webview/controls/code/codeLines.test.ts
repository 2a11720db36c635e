import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toCodeLines } from '../../../../../src/webview/controls/code/codeLines';
import { type CodePiece, highlight } from '../../../../../src/webview/controls/code/highlight';
import { runs } from '../../../../helpers/runs';

const textOf = (piece: CodePiece): string => (typeof piece === 'string' ? piece : piece.pieces.map(textOf).join(''));

describe('webview/controls/code/codeLines', () => {
  it('splits tokens at line ends, and keeps the class of those over several lines', () => {
    assert.deepEqual(toCodeLines(['let a;\n\n', { sort: 'comment', pieces: ['/* b\nc */'] }, ' d']), [
      ['let a;'],
      [],
      [{ sort: 'comment', pieces: ['/* b'] }],
      [{ sort: 'comment', pieces: ['c */'] }, ' d'],
    ]);
    assert.deepEqual(toCodeLines([]), [[]]);
  });

  it('has the lines of any code', async () => {
    const code = fc.array(fc.constantFrom('`', '${', '}', '/*', '*/', '"', '\n', 'let x = 1;', ' ', '//'), { maxLength: 40 });
    await fc.assert(
      fc.property(code, parts => {
        const text = parts.join('');
        const lines = toCodeLines(highlight(text, 'typescript') ?? []);
        assert.deepEqual(
          lines.map(line => line.map(textOf).join('')),
          text.split('\n'),
        );
      }),
      { numRuns: runs(5000, 300) },
    );
  });
});
