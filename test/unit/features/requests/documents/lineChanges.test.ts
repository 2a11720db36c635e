import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type TextChange, toLineChanges, UntouchedLines } from '../../../../../src/features/requests/documents/lineChanges';

function change(startLine: number, startCharacter: number, endLine: number, endCharacter: number, text: string): TextChange {
  return { range: { start: { line: startLine, character: startCharacter }, end: { line: endLine, character: endCharacter } }, text };
}

describe('features/requests/documents/lineChanges', () => {
  it('treats a keystroke as a change of one line', () => {
    assert.deepEqual(toLineChanges([change(7, 3, 7, 3, 'x')]), [{ start: 7, removed: 1, inserted: 1 }]);
  });

  it('counts line breaks as the editor does', () => {
    assert.deepEqual(toLineChanges([change(0, 0, 0, 0, 'a\r\nb\nc\rd')]), [{ start: 0, removed: 1, inserted: 4 }]);
  });

  it('returns several changes with final line numbers, from the top', () => {
    assert.deepEqual(toLineChanges([change(9, 0, 10, 0, ''), change(4, 0, 4, 0, 'a\nb\n')]), [
      { start: 4, removed: 1, inserted: 3 },
      { start: 11, removed: 2, inserted: 1 },
    ]);
  });

  it('returns nothing for overlapping changes', () => {
    assert.equal(toLineChanges([change(1, 0, 3, 0, ''), change(2, 0, 2, 1, '')]), undefined);
  });

  it('turns the lines of a text into those of the changed text', () => {
    const cursor = fc.tuple(fc.nat(12), fc.nat(3), fc.nat(3), fc.constantFrom('', 'x', '\n', 'a\nb', 'q\r\n'));
    fc.assert(
      fc.property(fc.array(cursor, { minLength: 1, maxLength: 4 }), cursors => {
        const lines = Array.from({ length: 10 }, (_, index) => `line${index}`);
        const text = lines.join('\n');
        // Changes in text order, as edits with multiple cursors produce them.
        let from = 0;
        const edits: { start: number; end: number; text: string }[] = [];
        for (const [skip, length, extra, inserted] of cursors) {
          const start = Math.min(text.length, from + skip + extra);
          const end = Math.min(text.length, start + length);
          edits.push({ start, end, text: inserted });
          from = end + 1;
          if (from > text.length) {
            break;
          }
        }
        const at = (offset: number) => {
          const before = text.slice(0, offset).split('\n');
          return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
        };
        const changes = edits.map(edit => ({ range: { start: at(edit.start), end: at(edit.end) }, text: edit.text })).reverse();
        let after = text;
        for (const edit of [...edits].reverse()) {
          after = after.slice(0, edit.start) + edit.text + after.slice(edit.end);
        }
        const afterLines = after.split(/\r\n|\n/);
        const applied = [...lines];
        for (const { start, removed, inserted } of toLineChanges(changes) ?? assert.fail('overlap')) {
          applied.splice(start, removed, ...afterLines.slice(start, start + inserted));
        }
        assert.deepEqual(applied, afterLines);
      }),
    );
  });
});

describe('features/requests/documents/lineChanges UntouchedLines', () => {
  it('returns the original position of moved lines', () => {
    const lines = new UntouchedLines(5);
    lines.change([{ start: 1, removed: 1, inserted: 3 }]);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map(line => lines.originalOf(line)),
      [0, undefined, undefined, undefined, 2, 3, 4, undefined],
    );
    lines.change([{ start: 4, removed: 1, inserted: 1 }]);
    assert.equal(lines.originalOf(4), undefined);
    lines.change([{ start: 0, removed: 5, inserted: 1 }]);
    assert.deepEqual(
      [0, 1, 2].map(line => lines.originalOf(line)),
      [undefined, 3, 4],
    );
  });

  it('follows a paste of many lines', () => {
    const lines = new UntouchedLines(3);
    lines.change([{ start: 1, removed: 1, inserted: 200_000 }]);
    assert.deepEqual(
      [0, 1, 200_000, 200_001].map(line => lines.originalOf(line)),
      [0, undefined, undefined, 2],
    );
  });

  it('forgets every position if the changes are unknown', () => {
    const lines = new UntouchedLines(2);
    lines.change(undefined);
    assert.equal(lines.originalOf(0), undefined);
  });
});
