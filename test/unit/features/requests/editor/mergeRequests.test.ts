import assert from 'node:assert/strict';
import { mergeRequests } from '../../../../../src/features/requests/editor/requestText';
import { toPretty } from '../../../../../src/jsonl/pretty/prettyLine';

const base = toPretty('{"custom_id":"a","params":{"x":1.0,"y":[1,2,3],"z":3}}');

describe('features/requests/editor/mergeRequests', () => {
  it('takes both changes of different places, every other character as it was', () => {
    const mine = base.replace('1.0', '1e400');
    const theirs = base.replace('"z": 3', '"z": 3,\n    "new": "\\u0041"');
    assert.equal(mergeRequests(base, mine, theirs), base.replace('1.0', '1e400').replace('"z": 3', '"z": 3,\n    "new": "\\u0041"'));
    assert.equal(mergeRequests(base, mine.replaceAll('\n', '\r\n'), theirs), mergeRequests(base, mine, theirs));
  });

  it('takes the same change of both once', () => {
    const both = base.replace('1.0', '2');
    assert.equal(mergeRequests(base, both, both), both);
  });

  it('leaves it to the user where both changed the same', () => {
    assert.equal(mergeRequests(base, base.replace('1.0', '2'), base.replace('1.0', '3')), undefined);
  });

  it('makes no broken JSON and no doubled key of two sound texts', () => {
    const first = base.replace('{\n', '{\n  "model": "m",\n');
    const last = base.replace('\n}\n', ',\n  "model": "n"\n}\n');
    assert.equal(mergeRequests(base, first, last), undefined);
    const opened = base.replace('"y": [\n', '"w": 0,\n    "y": [\n');
    const emptied = base.replace(/"y": \[[^\]]*\],\n {4}/, '');
    const merged = mergeRequests(base, opened, emptied);
    assert.ok(merged === undefined || JSON.parse(merged));
  });

  it('does not try with texts whose comparison would hang', () => {
    const large = `${'"x",\n'.repeat(300_000)}`;
    assert.equal(mergeRequests(large, `1${large}`, `${large}2`), undefined);
  });
});
