import assert from 'node:assert/strict';
import { matching, triggerAt } from '../../../../../src/webview/session/composer/useSuggestions';

describe('webview/session/composer/useSuggestions', () => {
  it('completes a word after / only at the start of the text', () => {
    assert.deepEqual(triggerAt('/ex', 3), { kind: 'command', query: 'ex', start: 0, end: 3 });
    assert.deepEqual(triggerAt('/ex and more', 2), { kind: 'command', query: 'e', start: 0, end: 2 });
    for (const text of ['/usr/bin', '/ex port', ' /ex', 'or /ex', '//', '']) {
      assert.equal(triggerAt(text, text.length), undefined, text);
    }
    assert.equal(triggerAt('/ex', 0), undefined);
  });

  it('completes a file after @ anywhere', () => {
    assert.deepEqual(triggerAt('see @src/a', 10), { kind: 'file', query: 'src/a', start: 4, end: 10 });
    assert.deepEqual(triggerAt('@', 1), { kind: 'file', query: '', start: 0, end: 1 });
    assert.deepEqual(triggerAt('(@a)', 3), { kind: 'file', query: 'a', start: 1, end: 3 });
    for (const text of ['me@host', '@a b', 'a@', `@${'x'.repeat(201)}`, `${'x'.repeat(500)}me@host`]) {
      assert.equal(triggerAt(text, text.length), undefined, text);
    }
    const far = `${'x '.repeat(5000)}@a`;
    assert.deepEqual(triggerAt(far, far.length), { kind: 'file', query: 'a', start: 10_000, end: 10_002 });
  });

  it('offers names that start with the word before those that contain it', () => {
    const all = ['export', 'again', 'Example', 'index'].map(label => ({ id: label, label, detail: '' }));
    assert.deepEqual(
      matching(all, 'ex').map(({ label }) => label),
      ['export', 'Example', 'index'],
    );
    assert.equal(matching(all, '').length, 4);
  });
});
