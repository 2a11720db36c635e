import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tabIconOf } from '../../../../../src/features/sessions/panel/tabIcon';
import type { SessionView } from '../../../../../src/shared/session/sessionView';

const states: readonly SessionView['state'][] = [
  'waiting',
  'running',
  'idle',
  'rescheduling',
  'terminated',
  'archived',
  'deleted',
  'unknown',
];

describe('features/sessions/panel/tabIcon', () => {
  it('tells a session that failed from one that is done', () => {
    assert.equal(tabIconOf({ state: 'idle', stopReason: 'retries_exhausted' }), 'failed');
    assert.equal(tabIconOf({ state: 'idle', stopReason: 'end_turn' }), 'idle');
    assert.equal(tabIconOf({ state: 'running', stopReason: 'retries_exhausted' }), 'running');
  });

  it('has a picture for every state in dark and light', () => {
    for (const state of states) {
      for (const stopReason of ['end_turn', 'retries_exhausted']) {
        for (const theme of ['dark', 'light']) {
          assert.ok(existsSync(`media/session/${tabIconOf({ state, stopReason })}-${theme}.svg`));
        }
      }
    }
  });
});
