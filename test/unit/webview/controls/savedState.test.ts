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
  it('keeps what the host wrote into the page over what was kept, and all else', () => {
    const host = hostWith({ session: 'old', draft: 'words' });
    new SavedState(host, '{"session":"new","connection":"c"}');
    assert.deepEqual(host.kept, { session: 'new', connection: 'c', draft: 'words' });
  });

  it('takes a page without a state, or with a broken one', () => {
    const host = hostWith(undefined);
    assert.deepEqual(new SavedState(host, undefined).state, {});
    assert.deepEqual(new SavedState(host, '{').state, {});
    assert.deepEqual(new SavedState(host, '7').state, {});
  });

  it('remembers small things by name, forgets them, and lets the oldest go', () => {
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
