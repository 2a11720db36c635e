import assert from 'node:assert/strict';
import { asksOf, describeWatchedBy, presentNeed } from '../../../../../src/features/sessions/inbox/inboxPresentation';
import type { WaitingSession } from '../../../../../src/features/sessions/inbox/knownWaiting';
import type { ListedSession } from '../../../../../src/features/sessions/list/listedSession';
import { presentSession } from '../../../../../src/features/sessions/list/sessionPresentation';
import { fillPlaces } from '../../requests/fillPlaces';

const now = Date.UTC(2026, 0, 5, 10);
const context = { translate: fillPlaces, locale: 'en', now };
const ask = { eventId: 'e1', kind: 'confirmation', tool: 'bash', input: { command: 'make\n all' }, at: now - 300_000 } as const;
const session: WaitingSession = { connection: 'Lab', sessionId: 'sesn_1', name: 'Clean the build', agent: 'Operator', asks: [ask] };

describe('features/sessions/inbox/inboxPresentation', () => {
  it('names what waits by tool and arguments, and beside it agent, session and age', () => {
    const row = presentNeed(session, ask, context);
    assert.equal(row.label, 'bash: make all');
    assert.match(row.description ?? '', /^Operator · Clean the build · 5 min/);
    assert.match(row.spoken, /^Asks for bash: make all, Operator, Clean the build, 5 min/);
    assert.match(presentNeed(session, { ...ask, kind: 'customTool' }, context).spoken, /^Wants a result bash/);
  });

  it('shows the age that the row of its session shows, at any second', () => {
    for (let seconds = 0; seconds < 130; seconds += 7) {
      const at = { ...context, now: now + seconds * 1000 };
      const asks = [{ ...ask, at: now - 1 }];
      const row = { id: 's', type: 'session', status: 'idle', updated_at: new Date(now + 40_000).toISOString() };
      const listed: ListedSession = { connection: 'Lab', session: row, state: 'waiting', asks, name: 'N' };
      const ageOf = (description: string) => description.split(' · ').at(-1);
      const [need] = asks.map(one => presentNeed(session, one, at));
      assert.equal(ageOf(presentSession(listed, at).description), ageOf(need?.description ?? ''));
    }
  });

  it('shows hostile names as what they are', () => {
    const row = presentNeed({ ...session, name: 'a\u202eb', agent: 'c\u200bd' }, { ...ask, tool: 'e\u202ef' }, context);
    assert.doesNotMatch(JSON.stringify(row), /[\u202e\u200b]/);
  });

  it('has the oldest first, over all sessions', () => {
    const other = {
      ...session,
      sessionId: 'sesn_2',
      asks: [
        { ...ask, eventId: 'e0', at: now - 900_000 },
        { ...ask, eventId: 'e2', at: now },
      ],
    };
    const all = asksOf({ onDidChange: () => ({ dispose: () => undefined }), all: () => [session, other], questions: () => [] });
    assert.deepEqual(
      all.map(({ ask: { eventId } }) => eventId),
      ['e0', 'e1', 'e2'],
    );
  });

  const cases = [
    [{ isTrusted: true, listed: undefined, followed: [] }, 'Nobody is watched: no connection is ready.'],
    [{ isTrusted: true, listed: 'Lab', followed: [] }, 'Watched: the listed sessions of Lab.'],
    [{ isTrusted: true, listed: undefined, followed: ['Lab'] }, 'Watched: 1 session that you started or opened (Lab).'],
    [
      { isTrusted: true, listed: 'Lab', followed: ['Lab', 'Other', 'Lab'] },
      'Watched: the listed sessions of Lab and 3 sessions that you started or opened (Lab, Other).',
    ],
  ] as const;
  for (const [facts, words] of cases) {
    it(`says who is watched: ${words}`, () => {
      assert.equal(describeWatchedBy(facts, fillPlaces), words);
    });
  }

  it('says that nothing is read where nothing is trusted', () => {
    assert.match(describeWatchedBy({ isTrusted: false, listed: 'Lab', followed: [] }, fillPlaces), /not trusted/);
  });
});
