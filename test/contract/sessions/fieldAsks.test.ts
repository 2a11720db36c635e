import assert from 'node:assert/strict';
import { until } from '../../helpers/until';
import { type FieldCase, type FieldService, fieldCase, startFieldService } from './fieldService';
import { SessionWindow } from './sessionWindow';

describe('asks of public bug reports, in list, badge and inbox', () => {
  const open: { end(): void | Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) {
      await one.end();
    }
  });

  async function serve(cases: readonly FieldCase[], options?: { readonly ignoresOrder?: boolean }): Promise<[FieldService, SessionWindow]> {
    const service = await startFieldService(cases, options);
    const window = new SessionWindow(service.client, service.url);
    open.push(window, { end: () => service.close() });
    return [service, window];
  }
  const waits = (window: SessionWindow) => {
    const { rows, badge, needs, inbox } = window.told();
    return { rows, badge, needs, inbox };
  };
  const all = (...asks: readonly string[]) => ({ rows: asks, badge: asks.length, needs: asks, inbox: asks });
  /** Refreshes, and waits until the inbox shows the expected asks too. */
  const comesTo = async (window: SessionWindow, expected: ReturnType<typeof all>) => {
    await window.passTime();
    const { rows, badge, needs } = waits(window);
    assert.deepEqual({ rows, badge, needs, inbox: expected.inbox }, expected);
    await until(() => JSON.stringify(waits(window).inbox) === JSON.stringify(expected.inbox), 5);
  };

  for (const name of ['c09a-kid-asks', 'c09b-kid-asks-long-ago', 'c09c-kid-asks-350-events-ago']) {
    it(`shows the ask of ${name}, and keeps it while the session continues`, async () => {
      const field = fieldCase(name);
      const [service, window] = await serve([field]);
      await comesTo(window, all(field.ask));

      const more = Array.from({ length: 70 }, (_, step) => ({ type: 'agent.message', id: `later ${step}`, content: [] }));
      const running = { type: 'session.status_running', id: 'runs again' };
      const session = { ...field.session, updated_at: '2026-11-28T19:30:00Z' };
      const grown = { ...field, session, events: [...field.events, ...more, running] };
      service.cases.splice(0, 1, grown);
      await comesTo(window, all(field.ask));

      const answer = { type: 'user.tool_confirmation', id: 'answer', tool_use_id: field.ask, result: 'allow' };
      service.cases.splice(0, 1, {
        ...field,
        session: { ...session, updated_at: '2026-11-28T19:40:00Z' },
        events: [...grown.events, answer],
      });
      await comesTo(window, all());
    });
  }

  it('finds the ask at the end of a log that is always listed oldest first', async () => {
    const field = fieldCase('c15-order-ignored');
    const [, window] = await serve([field], { ignoresOrder: true });
    await comesTo(window, all(field.ask));
  });

  it("doesn't call a session idle if its log was too long or couldn't be read", async () => {
    const field = fieldCase('c15-order-ignored');
    const filler = Array.from({ length: 6000 }, (_, step) => ({
      type: 'agent.message',
      id: `m${step}`,
      processed_at: '2026-11-28T19:00:00Z',
    }));
    const [, window] = await serve([{ ...field, events: [...filler, ...field.events] }], { ignoresOrder: true });
    await window.look(true);
    const [row] = window.store.sessions();
    assert.deepEqual([row?.state, window.store.coverage.known, window.store.coverage.isPart], ['unknown', 0, true]);
  });
});
