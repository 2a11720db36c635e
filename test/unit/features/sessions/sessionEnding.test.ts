import assert from 'node:assert/strict';
import type { Session } from '../../../../src/client/resources/sessions';
import { ServiceError, type ServiceErrorKind } from '../../../../src/client/transport/errors';
import { interrupt, refusedBecauseRunning, whenAtRest } from '../../../../src/features/sessions/endSession';
import { isRunning } from '../../../../src/shared/session/facts/sessionState';

import { fillPlaceholders } from '../requests/fillPlaceholders';

const failure = (kind: ServiceErrorKind) => new ServiceError('no', { kind, outcome: 'refused', method: 'POST', host: 'h', path: '/' });
const session = (status: string): Session => ({ id: 's', type: 'session', status });

/** Returns an API of one session. Each read returns the next status, and the last status repeats. */
function sessionsOf(...statuses: string[]) {
  const looks = [...statuses];
  return { retrieve: async () => ({ data: session(looks.length > 1 ? (looks.shift() ?? '') : (looks[0] ?? '')), requestId: undefined }) };
}

describe('features/sessions/sessionEnding', () => {
  it('interrupts the whole session with one event', async () => {
    const sent: unknown[] = [];
    const send = async (...given: readonly unknown[]) => {
      sent.push(...given.slice(0, 2));
      return { data: [], requestId: undefined };
    };
    await interrupt({ send }, 's');
    assert.deepEqual(sent, ['s', [{ type: 'user.interrupt' }]]);
  });

  it('returns which states must be interrupted first', () => {
    assert.deepEqual(['running', 'rescheduling', 'idle', 'terminated'].map(isRunning), [true, true, false, false]);
  });

  it('recognizes a rejection because the session is running', async () => {
    assert.equal(await refusedBecauseRunning(sessionsOf('running'), 's', failure('invalid_request')), true);
    assert.equal(await refusedBecauseRunning(sessionsOf('running'), 's', failure('conflict')), true);
    assert.equal(await refusedBecauseRunning(sessionsOf('idle'), 's', failure('invalid_request')), false);
    assert.equal(await refusedBecauseRunning(sessionsOf('running'), 's', failure('api')), false);
    assert.equal(await refusedBecauseRunning(sessionsOf('running'), 's', new Error('other')), false);
  });

  it('waits until an interrupted session idles, and gives up after a while', async () => {
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const { signal } = new AbortController();
    await whenAtRest(sessionsOf('running', 'running', 'idle'), 's', sleep, signal, fillPlaceholders);
    assert.equal(waits.length, 2);
    waits.length = 0;
    await assert.rejects(whenAtRest(sessionsOf('running'), 's', sleep, signal, fillPlaceholders), /still running/);
    const total = waits.reduce((sum, wait) => sum + wait, 0);
    assert.ok(total > 10_000 && total < 30_000, String(total));
  });

  it('stops waiting when canceled', async () => {
    const controller = new AbortController();
    const sleep = async () => controller.abort();
    await assert.rejects(whenAtRest(sessionsOf('running'), 's', sleep, controller.signal, fillPlaceholders), { name: 'AbortError' });
  });
});
