import assert from 'node:assert/strict';
import { type SentHistory, stepThrough, toMemory, toSentHistory, withSent } from '../../../../../src/webview/session/composer/useMessage';

describe('webview/session/composer/useMessage', () => {
  it('goes back through sent messages and forward to the draft', () => {
    const history = withSent(withSent(toSentHistory(''), 'one'), 'two');
    const back = step(history, -1, 'draft');
    assert.equal(back.text, 'two');
    const further = step(back.history, -1, back.text);
    assert.equal(further.text, 'one');
    assert.equal(stepThrough(further.history, -1, further.text), undefined);
    const forward = step(further.history, 1, further.text);
    assert.equal(forward.text, 'two');
    assert.equal(step(forward.history, 1, forward.text).text, 'draft');
  });

  it('treats an edited message as a new draft', () => {
    const history = withSent(withSent(toSentHistory(''), 'one'), 'two');
    const back = step(history, -1, '');
    assert.equal(stepThrough(back.history, 1, 'two, changed'), undefined);
    const again = step(back.history, -1, 'two, changed');
    assert.equal(again.text, 'two');
    assert.equal(step(again.history, 1, again.text).text, 'two, changed');
  });

  it("doesn't go forward from the draft", () => {
    assert.equal(stepThrough(withSent(toSentHistory(''), 'one'), 1, 'draft'), undefined);
  });

  it('stores a message once that is sent twice in a row', () => {
    assert.deepEqual(withSent(withSent(toSentHistory(''), 'one'), 'one').sent, ['one']);
  });

  it('is limited in number and length', () => {
    let history = toSentHistory('');
    for (let index = 0; index < 60; index++) {
      history = withSent(history, `message ${index}`);
    }
    assert.equal(history.sent.length, 50);
    assert.equal(history.sent.at(-1), 'message 59');
    history = withSent(history, 'x'.repeat(99_990));
    assert.deepEqual(
      history.sent.map(({ length }) => length),
      [10, 99_990],
    );
    assert.equal(withSent(history, 'y'.repeat(100_001)).sent.length, 2);
    assert.deepEqual(withSent(history, 'z').sent, [history.sent[1], 'z']);
  });

  it('survives a reload, and is empty for invalid stored values', () => {
    const history = withSent(toSentHistory(''), 'one');
    assert.deepEqual(toSentHistory(toMemory(history)).sent, ['one']);
    for (const memory of ['', '{', '{"a":1}', '[1,null]']) {
      assert.deepEqual(toSentHistory(memory).sent, []);
    }
  });

  function step(history: SentHistory, by: -1 | 1, text: string): { readonly history: SentHistory; readonly text: string } {
    const stepped = stepThrough(history, by, text);
    assert.ok(stepped !== undefined);
    return stepped;
  }
});
