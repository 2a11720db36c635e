import assert from 'node:assert/strict';
import { customIdOf, findLineIn, printOf, type WantedLine } from '../../../../src/jsonl/pretty/lineSearch';

const request = (id: string, words = '') => JSON.stringify({ custom_id: id, params: { words } });
const find = (lines: readonly string[], wanted: WantedLine) =>
  findLineIn({ lineCount: lines.length, lineAt: line => ({ text: lines[line] ?? '' }) }, wanted);

describe('jsonl/pretty/lineSearch', () => {
  it('finds a line by its text, the nearest of several', () => {
    const lines = ['{"a":1}', request('x'), '{"a":1}', '{"a":1}', ''];
    assert.equal(find(lines, { line: 1, text: request('x'), customId: 'x' }), 1);
    assert.equal(find(lines, { line: 4, text: request('x'), customId: 'x' }), 1);
    assert.equal(find(lines, { line: 4, text: '{"a":1}' }), 3);
    assert.equal(find(lines, { line: 9, text: '{"a":1}' }), 3);
    assert.equal(find(lines, { line: 2, text: '' }), 4);
  });

  it('finds a changed line by its ID, and one without an ID nowhere', () => {
    const lines = [request('a'), request('b', 'new'), '{"model":"m"}'];
    assert.equal(find(lines, { line: 0, text: request('b'), customId: 'b' }), 1);
    assert.equal(find(lines, { line: 2, text: '{"model":"old"}' }), undefined);
    assert.equal(find(['{"custom_id":"\\u0062"}'], { line: 7, text: 'x', customId: 'b' }), 0);
    assert.equal(find(['{"custom_id":"b","params":{'], { line: 0, text: request('b'), customId: 'b' }), undefined);
  });

  it("doesn't choose between lines with one ID, unless one is at the old position", () => {
    const lines = [request('a', '1'), request('a', '2')];
    assert.equal(find(lines, { line: 1, text: 'gone', customId: 'a' }), 1);
    assert.equal(find(lines, { line: 5, text: 'gone', customId: 'a' }), undefined);
  });

  it('finds by the stored part of a text, and then by its ID', () => {
    const lines = [request('a'), '{"é":1}', request('b', 'new')];
    assert.equal(find(lines, { line: 0, print: printOf('{"é":1}') }), 1);
    assert.equal(find(lines, { line: 0, print: printOf(request('b', 'old')), customId: 'b' }), 2);
    assert.equal(find(lines, { line: 1, print: printOf('{"e":1}') }), undefined);
  });

  it('finds by number or by ID alone', () => {
    const lines = [request('a'), request('__proto__')];
    assert.equal(find(lines, { line: 1 }), 1);
    assert.equal(find(lines, { line: 2 }), undefined);
    assert.equal(find(lines, { line: -1, customId: '__proto__' }), 1);
  });

  it('reads IDs literally', () => {
    assert.equal(customIdOf('{"custom_id":" a "}\r'), ' a ');
    for (const text of ['{"custom_id":1}', '[]', 'null', '{', '{}', '"custom_id"']) {
      assert.equal(customIdOf(text), undefined);
    }
  });
});
