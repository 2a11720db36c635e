import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { languageOfFence, languageOfPath, languageOfText } from '../../../../../src/webview/controls/code/codeLanguage';
import { type CodePiece, highlight } from '../../../../../src/webview/controls/code/highlight';
import { runs } from '../../../../helpers/runs';

const names = ['bash', 'css', 'diff', 'go', 'js', 'json', 'py', 'rs', 'sql', 'ts', 'html', 'yml'];

describe('webview/controls/code/highlight', () => {
  it('divides code into classified tokens', () => {
    assert.deepEqual(highlight('let a = "x"; // y', 'typescript'), [
      { sort: 'keyword', pieces: ['let'] },
      ' a = ',
      { sort: 'string', pieces: ['"x"'] },
      '; ',
      { sort: 'comment', pieces: ['// y'] },
    ]);
    assert.equal(highlight('x', 'klingon'), undefined);
  });

  it('loses and adds nothing, for any code', async () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '${',
      '}',
      '{',
      '<',
      '</',
      '>',
      '&amp;',
      '//',
      '/*',
      '#',
      '\n',
      '\\',
      'let ',
      '\u202e',
      'é',
      '0x1',
    );
    const code = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.array(piece, { maxLength: 40 }).map(pieces => pieces.join('')),
    );
    await fc.assert(
      fc.property(code, fc.constantFrom(...names), (text, name) => {
        const language = languageOfFence(name) ?? assert.fail(name);
        const pieces = highlight(text, language) ?? assert.fail(language);
        assert.equal(pieces.map(textOf).join(''), text);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('recognizes languages by name and file extension, and JSON by content', () => {
    assert.equal(languageOfFence('TSX title="a"'), 'typescript');
    assert.equal(languageOfFence(''), undefined);
    assert.equal(languageOfFence('constructor'), undefined);
    assert.equal(languageOfPath('/work/a.test.py'), 'python');
    assert.equal(languageOfPath('Makefile'), undefined);
    assert.equal(languageOfText('{\n  "a": 1'), 'json');
    assert.equal(languageOfText('[{"a"'), 'json');
    for (const text of ['[error] x', '{ a }', 'total 0', '']) {
      assert.equal(languageOfText(text), undefined, text);
    }
  });
});

function textOf(piece: CodePiece): string {
  return typeof piece === 'string' ? piece : piece.pieces.map(textOf).join('');
}
