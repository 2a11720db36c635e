import assert from 'node:assert/strict';
import { RequestText } from '../../../../../src/features/requests/editor/requestText';
import { toPretty } from '../../../../../src/jsonl/pretty/prettyLine';

const line = '{"custom_id":"a","params":{"x":1,"y":2,"z":3}}';
const begin = () => new RequestText(line, '  ', 1000);
const changed = line.replace('"x":1', '"x":7');

describe('features/requests/editor/requestText', () => {
  it('shows its line formatted', () => {
    assert.deepEqual(begin().state, { stamp: 1000, bytes: Buffer.byteLength(toPretty(line)), text: toPretty(line) });
  });

  it('follows its line while nothing is edited', () => {
    const text = begin();
    assert.equal(text.updateLine(line, undefined), false);
    assert.equal(text.updateLine(changed, undefined), true);
    assert.equal(text.state.text, toPretty(changed));
    assert.ok(text.state.stamp > 1000);
    assert.equal(text.updateLine(changed, undefined), false);
  });

  it('keeps the user’s formatting when only white space of the line changed, or was saved', () => {
    const text = begin();
    const mine = toPretty(line, '\t');
    text.save(line, mine);
    const { stamp } = text.state;
    assert.equal(text.updateLine(line.replaceAll(',', ', '), undefined), false);
    assert.deepEqual([text.state.text, text.state.stamp], [mine, stamp]);
  });

  it('creates a conflict that VS Code notices, even if the length is equal', () => {
    const text = begin();
    const before = text.state;
    assert.equal(text.updateLine(changed, toPretty(line).replace('"y": 2', '"y": 9')), false);
    assert.equal(text.hasConflictSince(0), true);
    assert.equal(text.state.text.length, before.text.length);
    assert.ok(text.state.stamp > before.stamp);
    assert.notEqual(text.state.bytes, before.bytes);
  });

  it('distinguishes a new conflict from one that the user has already seen', () => {
    const text = begin();
    const mine = toPretty(line).replace('"x": 1', '"x": 5');
    assert.equal(text.hasConflictSince(text.state.stamp), false);
    const before = text.state.stamp;
    text.updateLine(changed, mine);
    assert.equal(text.hasConflictSince(before), true);
    assert.equal(text.hasConflictSince(text.state.stamp), false);
  });

  it('resolves a conflict when the line is reverted, or changed to the edited text', () => {
    const mine = toPretty(line).replace('"x": 1', '"x": 5');
    const back = begin();
    back.updateLine(changed, mine);
    back.updateLine(line, mine);
    assert.deepEqual([back.hasConflictSince(0), back.state.stamp], [false, 1000]);
    const same = begin();
    same.updateLine(changed, mine);
    same.updateLine(line.replace('"x":1', '"x": 5'), mine);
    assert.deepEqual([same.hasConflictSince(0), same.state.stamp], [false, 1000]);
  });

  it('adopts the newer text and its modification time when the user reverts', () => {
    const text = begin();
    const mine = toPretty(line).replace('"x": 1', '"x": 5');
    text.updateLine(changed, mine);
    const { stamp } = text.state;
    assert.equal(text.updateLine(changed, undefined), true);
    assert.deepEqual([text.state.stamp, text.state.text, text.hasConflictSince(0)], [stamp, toPretty(changed), false]);
  });

  it('gives each text a later modification time, even after a conflict was overwritten', () => {
    const text = begin();
    const mine = toPretty(line).replace('"x": 1', '"x": 5');
    text.updateLine(changed, mine);
    text.updateLine(changed.replace('7', '8'), mine);
    const { stamp } = text.state;
    text.save(line.replace('"x":1', '"x":5'), mine);
    assert.ok(stamp > 1001 && text.state.stamp > stamp);
    assert.deepEqual([text.hasConflictSince(0), text.state.text], [false, mine]);
  });
});
