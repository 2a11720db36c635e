import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type TextChange, toLineChanges } from '../../../../../src/features/requests/documents/lineChanges';
import { findAgain, followLine } from '../../../../../src/features/requests/editor/editedRequest';

const request = (id: string, words = '') => JSON.stringify({ custom_id: id, params: { words } });
const toDocument = (lines: readonly string[]) => ({ lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? '' }) });

/** Returns the lines after edits, with the change event. An edit is `[start, end, text]` with positions `[line, character]`. */
function edited(lines: readonly string[], ...edits: readonly (readonly [readonly [number, number], readonly [number, number], string])[]) {
  const changes: TextChange[] = edits.map(([start, end, text]) => ({
    range: { start: { line: start[0], character: start[1] }, end: { line: end[0], character: end[1] } },
    text,
  }));
  const offsetOf = ([line, character]: readonly [number, number]) =>
    lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  let text = lines.join('\n');
  for (const [start, end, words] of [...edits].sort((a, b) => offsetOf(b[0]) - offsetOf(a[0]))) {
    text = text.slice(0, offsetOf(start)) + words + text.slice(offsetOf(end));
  }
  return { changes: toLineChanges(changes), document: toDocument(text.split('\n')) };
}

const lines = [request('a'), request('b'), request('c'), ''];
const place = { line: 1, text: request('b'), customId: 'b' };
const end = (line: number) => (lines[line] ?? '').length;

describe('features/requests/editor/editedRequest', () => {
  const follow = (...edits: Parameters<typeof edited> extends [unknown, ...infer E] ? E : never) => {
    const { changes, document } = edited(lines, ...edits);
    return followLine(place, changes, document);
  };

  it('follows a line through edits above, below and within it', () => {
    assert.equal(follow([[0, 0], [0, 0], 'x\ny\n']), 3);
    assert.equal(follow([[0, 0], [1, 0], '']), 0);
    assert.equal(follow([[2, 0], [3, 0], '']), 1);
    assert.equal(follow([[1, 3], [1, 6], 'words']), 1);
    assert.equal(follow([[0, end(0)], [0, end(0)], '\n'], [[1, 2], [1, 4], 'z']), 2);
  });

  it('finds a line among inserted lines', () => {
    assert.equal(follow([[1, 0], [1, 0], `${request('new')}\n`]), 2);
    assert.equal(follow([[1, end(1)], [1, end(1)], `\n${request('new')}`]), 1);
    // Edits by which VS Code moves a line up or down.
    assert.equal(follow([[0, 0], [1, 0], ''], [[1, end(1)], [1, end(1)], `\n${lines[0]}`]), 0);
    assert.equal(follow([[0, 0], [3, 0], `${lines[2]}\n${lines[1]}\n${lines[0]}\n`]), 1);
    assert.equal(follow([[0, 0], [3, 0], `${lines[1]}\n${lines[2]}\n${lines[0]}\n`]), 0);
  });

  it('finds a line by its ID after it was replaced together with others', () => {
    assert.equal(follow([[0, 0], [2, 0], `${request('x')}\n${request('y')}\n${request('b', 'new')}\n`]), 2);
  });

  it('returns nothing for a line that was deleted, split or joined', () => {
    assert.equal(follow([[1, 0], [2, 0], '']), undefined);
    assert.equal(follow([[1, 20], [1, 20], '\n']), undefined);
    assert.equal(follow([[0, end(0)], [1, 0], '']), undefined);
    assert.equal(follow([[0, 0], [3, 0], '']), undefined);
  });

  it('searches the whole document if every line may have moved', () => {
    assert.equal(followLine(place, undefined, toDocument(['', '', request('b')])), 2);
    assert.equal(followLine(place, undefined, toDocument(['', '', ''])), undefined);
  });

  it('finds a restored line, but never another one with its ID', () => {
    const { changes, document } = edited([request('a'), request('c')], [[1, 0], [1, 0], `${request('b')}\n`]);
    assert.equal(findAgain(place, changes, document), 1);
    const other = edited([request('a')], [[0, 0], [0, 0], `${request('b', 'other')}\n`]);
    assert.equal(findAgain(place, other.changes, other.document), undefined);
  });

  it('finds a line with unique text after any edits that keep it whole', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 12 }), steps => {
        let current = Array.from({ length: 5 }, (_, index) => request(`r${index}`));
        let at = 2;
        for (const [from, removed, inserted] of steps) {
          const start = Math.min(from, current.length - 1);
          const stop = Math.min(start + removed, current.length - 1);
          const words = Array.from({ length: inserted }, (_, index) => `${request(`new${index}`)}\n`).join('');
          if (start <= at && at < stop) {
            continue;
          }
          const { changes, document } = edited(current, [[start, 0], [stop, 0], words]);
          const text = request('r2');
          const found = followLine({ line: at, text, customId: 'r2' }, changes, document);
          assert.equal(document.lineAt(found ?? -1).text, text);
          at = found ?? -1;
          current = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
        }
      }),
    );
  });
});
