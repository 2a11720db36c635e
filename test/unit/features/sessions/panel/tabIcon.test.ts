import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tabIconOf } from '../../../../../src/features/sessions/panel/tabIcon';
import { sessionStates } from '../../../../../src/shared/session/facts/sessionState';
import type { SessionView } from '../../../../../src/shared/session/sessionView';

const states: readonly SessionView['state'][] = [...sessionStates, 'deleted'];

describe('features/sessions/panel/tabIcon', () => {
  it('tells a session that failed from one that is done', () => {
    assert.deepEqual([tabIconOf({ state: 'failed' }), tabIconOf({ state: 'idle' })], ['failed', 'idle']);
  });

  it('has a picture for every state in dark and light', () => {
    for (const state of states) {
      for (const theme of ['dark', 'light']) {
        assert.ok(existsSync(`media/session/${tabIconOf({ state })}-${theme}.svg`));
      }
    }
  });
});
