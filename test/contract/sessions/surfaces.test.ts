import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/server';
import { nextAskLog } from '../../../src/features/sessions/facts/askLog';
import { openAsks } from '../../../src/features/sessions/facts/openAsks';
import { tabIconOf } from '../../../src/features/sessions/panel/sessionPanel';
import { restOf } from '../../../src/shared/session/facts/turn';
import { runs } from '../../helpers/runs';
import { until } from '../../helpers/until';
import { SessionWindow } from './sessionWindow';
import { newestOf, startSessionService } from './startSessionService';

const which = fc.nat(2);
const words = fc.constantFrom(
  'ask make clean',
  'two',
  'price of tea',
  'delegate ask tidy up',
  'hello',
  'Which branch?',
  'fail',
  'terminate',
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), which, words }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('answerElsewhere' as const, 'answerInPanel' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answerInInbox' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('open' as const, 'close' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('interrupt' as const, 'archive' as const, 'delete' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lookAtQuestion' as const, 'replyInInbox' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'refresh' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('showInbox' as const, 'hideInbox' as const) }) },
);
const steps = fc.array(step, { minLength: 4, maxLength: 14, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('list, badge, panels and inbox of one window', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let start: { readonly agent: string; readonly environment_id: string };

  before(async () => {
    ({ emulator, client, start } = await startSessionService());
  });
  after(async () => {
    await client.close();
    await emulator.stop();
  });

  /** Returns the event IDs of the open asks and open questions of each session, read from the service. */
  async function truth(
    ids: readonly string[],
  ): Promise<readonly { readonly asks: readonly string[]; readonly asked: readonly string[] }[]> {
    const open = ids.map(async id => {
      const { archived_at, status } = (await client.sessions.retrieve(id)).data;
      const { events } = await newestOf(client, id);
      const asks = openAsks(events).map(({ eventId }) => eventId);
      const rest = status === 'idle' && asks.length === 0 ? restOf(nextAskLog(undefined, { events, isWhole: true }).turn) : undefined;
      return archived_at || status === 'terminated'
        ? { asks: [], asked: [] }
        : { asks, asked: rest?.kind === 'asked' ? [rest.eventId] : [] };
    });
    return await Promise.all(open);
  }

  /** Performs a step of another client, or of this window's user. If the service refuses, nothing changes. */
  async function take(window: SessionWindow, taken: Step, ids: readonly string[], gone: Set<string>): Promise<void> {
    const id = 'which' in taken ? (ids[taken.which] ?? '') : '';
    const say = (...events: object[]) => client.sessions.send(id, events);
    const act = async (work: () => Promise<unknown>) => {
      const done = work().catch(() => undefined);
      // The surfaces must also agree while the request is in transit.
      window.agrees();
      await done;
      window.agrees();
      await emulator.advanceClock(0);
    };
    switch (taken.do) {
      case 'say':
        return await act(() => say({ type: 'user.message', content: [{ type: 'text', text: taken.words }] }));
      case 'answerElsewhere':
        return await act(async () => {
          const [ask] = openAsks((await newestOf(client, id)).events);
          await (ask?.kind === 'customTool'
            ? say({ type: 'user.custom_tool_result', custom_tool_use_id: ask.eventId, content: [] })
            : say({ type: 'user.tool_confirmation', tool_use_id: ask?.eventId, result: 'allow' }));
        });
      case 'interrupt':
        return await act(() => say({ type: 'user.interrupt' }));
      case 'archive':
        return await act(() => client.sessions.archive(id));
      case 'delete':
        return await act(async () => {
          await client.sessions.delete(id);
          gone.add(id);
        });
      case 'open':
        return gone.has(id) ? undefined : await window.open(id);
      case 'close':
        return window.close(id);
      case 'answerInPanel':
        return await act(() => window.answerInPanel(id));
      case 'answerInInbox':
        return await act(() => window.answerInInbox(taken.which));
      case 'lookAtQuestion':
        window.lookAtQuestion(taken.which);
        return window.agrees();
      case 'replyInInbox':
        return await act(() => window.replyInInbox(taken.which));
      case 'look':
      case 'refresh':
        return await window.look(taken.do === 'refresh');
      case 'showInbox':
      case 'hideInbox':
        return window.showInbox(taken.do === 'showInbox');
    }
  }

  /** Waits until the surfaces show the open asks. Agents may still be running, so the service's asks are read again at each poll. */
  async function comesToTell(window: SessionWindow, ids: readonly string[]): Promise<void> {
    let waits = await truth(ids);
    const panels = () => [...window.panels].filter(([id]) => ids.includes(id)).map(([, { session }]) => session.view);
    const told = () => ({ ...window.told(), tabs: panels().map(view => tabIconOf(view) === 'waiting') });
    const expected = () => {
      const events = waits.flatMap(({ asks }) => asks).sort();
      const questions = waits.flatMap(({ asked }) => asked).sort();
      const tabs = panels().map(
        ({ asks, rest }) =>
          asks.some(({ eventId }) => events.includes(eventId)) || (rest?.kind === 'asked' && questions.includes(rest.eventId)),
      );
      const badge = waits.filter(({ asks, asked }) => asks.length + asked.length > 0).length;
      return { rows: events, badge, needs: events, inbox: events, asked: questions, questions, tabs };
    };
    const isTrue = () => JSON.stringify(told()) === JSON.stringify(expected());
    for (let round = 0; round < 10 && !isTrue(); round++) {
      await window.passTime();
      waits = await truth(ids);
      // Waits without a poll for changes that arrive from streams.
      let looks = 0;
      await until(() => isTrue() || ++looks === 200, 10);
    }
    assert.deepEqual(told(), expected());
    window.agrees();
  }

  it('show what the inbox found at once, without polling the service', async () => {
    const { id } = (await client.sessions.create(start)).data;
    const window = new SessionWindow(client, emulator.url);
    try {
      await client.sessions.send(id, [{ type: 'user.message', content: [{ type: 'text', text: 'ask make clean' }] }]);
      await emulator.advanceClock(0);
      await window.look(true);
      window.showInbox(true);
      await until(() => window.desk.view.entries.length === 1, 10);
      assert.equal(window.told().badge, 1);
      await window.answerInInbox(0);
      await until(() => window.told().badge === 0, 10);
      const { rows, badge, needs, inbox } = window.told();
      assert.deepEqual({ rows, badge, needs, inbox }, { rows: [], badge: 0, needs: [], inbox: [] });
    } finally {
      window.end();
      await client.sessions.delete(id);
    }
  });

  it('never contradict each other, and become correct in the end', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const ids = await Promise.all([0, 1, 2].map(async () => (await client.sessions.create(start)).data.id));
        const window = new SessionWindow(client, emulator.url);
        const gone = new Set<string>();
        try {
          for (const one of taken) {
            await take(window, one, ids, gone);
            window.agrees();
          }
          await comesToTell(
            window,
            ids.filter(id => !gone.has(id)),
          );
        } finally {
          window.end();
          await Promise.all(ids.filter(id => !gone.has(id)).map(id => client.sessions.delete(id)));
        }
      }),
      { numRuns: runs(600, 30) },
    );
  });
});
