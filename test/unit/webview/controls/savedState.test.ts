import assert from 'node:assert/strict';
import type { PanelState } from '../../../../src/shared/session/sessionProtocol';
import { SavedState } from '../../../../src/webview/controls/savedState';

function hostWith(kept: PanelState | undefined): {
  kept: PanelState | undefined;
  getState(): PanelState | undefined;
  setState(state: PanelState): void;
} {
  return {
    kept,
    getState() {
      return this.kept;
    },
    setState(state) {
      this.kept = state;
    },
  };
}

describe('webview/controls/savedState', () => {
  it('prefers the state in the page to the stored one, and keeps all else', () => {
    const host = hostWith({ session: 'old', draft: 'words' });
    new SavedState(host, '{"session":"new","connection":"c"}');
    assert.deepEqual(host.kept, { session: 'new', connection: 'c', draft: 'words' });
  });

  it('accepts a page without state, or with an invalid one', () => {
    const host = hostWith(undefined);
    assert.deepEqual(new SavedState(host, undefined).state, {});
    assert.deepEqual(new SavedState(host, '{').state, {});
    assert.deepEqual(new SavedState(host, '7').state, {});
  });

  it('stores small values by name, deletes them, and drops the oldest', () => {
    const host = hostWith(undefined);
    const saved = new SavedState(host, undefined);
    for (let index = 0; index < 250; index++) {
      saved.set(`n${index}`, String(index));
    }
    saved.set('n249', undefined);
    assert.deepEqual([saved.get('n10'), saved.get('n248'), saved.get('n249')], [undefined, '248', undefined]);
    saved.set('__proto__', 'x');
    assert.equal(new SavedState(host, undefined).get('__proto__'), 'x');
    assert.equal(saved.get('constructor'), undefined);
  });
});
