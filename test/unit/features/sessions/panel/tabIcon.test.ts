import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tabIconOf } from '../../../../../src/features/sessions/panel/sessionPanel';
import { sessionStates } from '../../../../../src/shared/session/facts/sessionState';
import type { SessionView } from '../../../../../src/shared/session/sessionView';

const states: readonly SessionView['state'][] = [...sessionStates, 'deleted'];

describe('features/sessions/panel/tabIcon', () => {
  it('distinguishes sessions that failed, are done, asked a question or used up their budget', () => {
    const idle = (kind: 'done' | 'budget') => tabIconOf({ state: 'idle', rest: { kind } });
    const asked = tabIconOf({ state: 'idle', rest: { kind: 'asked', eventId: 'e' } });
    assert.deepEqual(
      [tabIconOf({ state: 'terminated' }), tabIconOf({ state: 'idle' }), idle('done'), asked, idle('budget')],
      ['failed', 'done', 'done', 'waiting', 'idle'],
    );
  });

  it('has an icon for every state in dark and light', () => {
    for (const [state, rest] of [...states.map(state => [state, {}] as const), ['idle', { rest: { kind: 'budget' } }] as const]) {
      for (const theme of ['dark', 'light']) {
        assert.ok(existsSync(`media/session/${tabIconOf({ state, ...rest })}-${theme}.svg`));
      }
    }
  });
});
