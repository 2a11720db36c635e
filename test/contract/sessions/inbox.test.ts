import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { systemClock } from '../../../src/common/clock';
import { Emitter } from '../../../src/common/emitter';
import { serverStyleNames } from '../../../src/emulator/http/serverStyle';
import type { Emulator } from '../../../src/emulator/server';
import { AskedSession } from '../../../src/features/sessions/inbox/askedSession';
import { AskSources } from '../../../src/features/sessions/inbox/askSources';
import { DismissedQuestions } from '../../../src/features/sessions/inbox/dismissedQuestions';
import { InboxDesk } from '../../../src/features/sessions/inbox/inboxDesk';
import { Conversation } from '../../../src/features/sessions/live/conversation';
import { findArguments } from '../../../src/features/sessions/panel/parts/partOpener';
import type { InboxEntry } from '../../../src/shared/inbox/inboxProtocol';
import { until } from '../../helpers/until';
import { fillPlaceholders } from '../../unit/features/requests/fillPlaceholders';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { startSessionService } from './startSessionService';

for (const serverStyle of serverStyleNames) {
  describe(`the inbox over a service like ${serverStyle}`, () => {
    let emulator: Emulator;
    let client: ServiceClient;
    let start: { readonly agent: string; readonly environment_id: string };
    const extension = new AbortController();

    before(async () => {
      ({ emulator, client, start } = await startSessionService(serverStyle));
    });
    after(async () => {
      extension.abort();
      await client.close();
      await emulator.stop();
    });

    const begin = async (text: string): Promise<string> => {
      const { data } = await client.sessions.create(start);
      await client.sessions.send(data.id, [{ type: 'user.message', content: [{ type: 'text', text }] }]);
      // Some services round times to seconds.
      await emulator.advanceClock(2000);
      return data.id;
    };
    const t = fillPlaceholders;
    const facts = { take: () => [], setLog: () => undefined, logOf: () => undefined };

    /** Opens an inbox of these sessions, of which only their waiting state is known. */
    function open(...ids: readonly string[]) {
      const waitingChanged = new Emitter<void>();
      const asks = [{ eventId: 'known elsewhere', kind: 'confirmation' as const }];
      const waiting = {
        onDidChange: waitingChanged.event,
        all: () => ids.map(sessionId => ({ connection: 'Lab', sessionId, name: undefined, agent: undefined, asks })),
        questions: () => [],
      };
      const sources = new AskSources({
        waiting,
        open: () => undefined,
        onDidOpen: new Emitter<void>().event,
        create: (reference, onStale) => {
          const sessions = async () => client.sessions;
          const session = new AskedSession({ reference, sessions, t, onStale, onGone: () => undefined, facts, clock: systemClock });
          return {
            session,
            actions: new Conversation({ session, sessions, t, lifetime: extension.signal, warn: () => undefined }),
            dispose: () => session.dispose(),
          };
        },
        clock: systemClock,
        onRead: () => undefined,
        warn: problem => assert.fail(problem),
      });
      const desk = new InboxDesk({
        ...{ sources, postponed: new Set<string>(), search: () => ({ watched: '', isFindingOut: false }), canWrite: () => true, t },
        ...{ clock: systemClock, lifetime: extension.signal, decisions: () => undefined },
        ...{ waiting, dismissed: new DismissedQuestions(new MemoryMemento()) },
      });
      sources.setVisible(true);
      return {
        desk,
        look: () => waitingChanged.fire(),
        end: () => {
          desk.dispose();
          sources.dispose();
        },
      };
    }
    type Opened = ReturnType<typeof open>;
    const holds = async ({ desk }: Opened, count: number): Promise<readonly InboxEntry[]> => {
      await until(() => desk.view.isRead && desk.view.entries.length === count);
      return desk.view.entries;
    };
    const whole = async ({ desk }: Opened, { ask }: InboxEntry): Promise<string> => {
      const found = desk.find(ask.eventId);
      assert.ok(found);
      const part = await findArguments(found.source.session, found.eventId, extension.signal, t);
      assert.ok(typeof part !== 'string', String(part));
      return part.text.replace(/\s+/g, ' ');
    };
    const stored = async (id: string, type: string) =>
      (await client.sessions.events(id).list({ order: 'asc', limit: 1000 })).items.filter(event => event.type === type);

    it('shows three sessions that ask, oldest first and complete, and answers each once', async () => {
      const ids = [await begin('ask make one'), await begin('ask make two'), await begin('price of tea')];
      const inbox = open(...ids.toReversed());
      const entries = await holds(inbox, 3);
      assert.deepEqual(
        entries.map(({ sessionId }) => sessionId),
        ids,
      );
      assert.equal(await whole(inbox, entries[0] as InboxEntry), '{ "command": "make one" }');
      const answer = (entry: InboxEntry, result: 'allow' | 'deny') =>
        inbox.desk.answer({
          type: 'confirm',
          clientId: `c ${entry.ask.eventId}`,
          eventId: entry.ask.eventId,
          result,
          shown: entry.fingerprint,
        });
      const [first, second, custom] = entries as [InboxEntry, InboxEntry, InboxEntry];
      assert.deepEqual(await Promise.all([answer(first, 'allow'), answer(first, 'allow')]), [{ ok: true }, { ok: true }]);
      assert.deepEqual(await answer(second, 'deny'), { ok: true });
      const result = { type: 'customResult', clientId: 'c', eventId: custom.ask.eventId, text: '3.2', isError: false } as const;
      assert.deepEqual(await inbox.desk.answer(result), { ok: true });
      await holds(inbox, 0);
      assert.deepEqual(inbox.desk.view.left, []);
      const given = await Promise.all([
        stored(ids[0] ?? '', 'user.tool_confirmation'),
        stored(ids[1] ?? '', 'user.tool_confirmation'),
        stored(ids[2] ?? '', 'user.custom_tool_result'),
      ]);
      assert.deepEqual(
        given.map(events => events.map(event => event.result ?? 'told')),
        [['allow'], ['deny'], ['told']],
      );
      inbox.end();
    });

    it("reads a sub-agent's ask completely, and answers it", async () => {
      const id = await begin('delegate ask');
      const inbox = open(id);
      const [entry] = await holds(inbox, 1);
      assert.ok(entry);
      assert.match(await whole(inbox, entry), /^\{ /);
      inbox.desk.find(entry.ask.eventId)?.source.actions.argumentsShown(inbox.desk.find(entry.ask.eventId)?.eventId ?? '', 'shown');
      const { eventId } = entry.ask;
      assert.deepEqual(await inbox.desk.answer({ type: 'confirm', clientId: 'c', eventId, result: 'deny', shown: entry.fingerprint }), {
        ok: true,
      });
      inbox.end();
    });

    it('removes an ask that another window answered, and one of an archived session, with a message', async () => {
      const [answered, archived] = [await begin('ask make one'), await begin('ask make two')];
      const inbox = open(answered, archived);
      const [first] = await holds(inbox, 2);
      assert.ok(first);
      const eventId = inbox.desk.find(first.ask.eventId)?.eventId;
      await client.sessions.send(answered, [{ type: 'user.tool_confirmation', tool_use_id: eventId, result: 'allow' }]);
      await emulator.advanceClock(0);
      await client.sessions.archive(archived);
      inbox.look();
      await holds(inbox, 0);
      assert.deepEqual(inbox.desk.view.left.map(({ words }) => words).sort(), ['It was answered elsewhere.', 'This session is archived.']);
      inbox.end();
    });
  });
}
