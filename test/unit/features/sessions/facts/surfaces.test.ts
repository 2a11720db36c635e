import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import type { Session } from '../../../../../src/client/resources/sessions';
import { toLogFacts } from '../../../../../src/features/sessions/facts/askLog';
import type { PanelSession } from '../../../../../src/features/sessions/facts/listedSession';
import { describeEnd, presentSession, toSessionHover } from '../../../../../src/features/sessions/list/sessionPresentation';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import { isTrouble } from '../../../../../src/shared/session/facts/sessionState';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { fillPlaceholders } from '../../requests/fillPlaceholders';

const context = { translate: fillPlaceholders, locale: 'en', now: Date.parse('2026-11-28T19:10:00Z') };

interface FieldEnd {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
  readonly later?: readonly SessionEvent[];
}

function fieldEnd(name: string): FieldEnd {
  return JSON.parse(readFileSync(`test/fixtures/sessionEnds/${name}.json`, 'utf8'));
}

/** Returns the state that each surface shows for these events. Asserts that an open panel doesn't change the row of the session. */
function surfacesOf(session: Session, events: readonly SessionEvent[]) {
  const transcript = new Transcript();
  transcript.append(events);
  const view = createSessionView({ session }, transcript.state());
  const reference = { connection: 'A', sessionId: session.id };
  const listedIn = (seen: readonly PanelSession[]) => {
    const store = new SessionStore({ now: () => context.now, monotonic: () => 0 }, () => seen);
    store.reset('A');
    store.facts.take('A', [session], 0);
    store.facts.setLog(reference, session, toLogFacts({ events, isWhole: true }, undefined), 0);
    return store.find(reference);
  };
  const [row, beside] = [listedIn([]), listedIn([{ ...reference, view, transcript }])];
  assert.ok(row !== undefined && beside !== undefined);
  const said = [row, beside].map(({ state, rest }) => ({ state, rest }));
  assert.deepEqual(said[0], said[1]);
  assert.deepEqual([view.state, view.rest], [row.state, row.rest]);
  return { row, view, presented: presentSession(row, context), hover: toSessionHover(row, { name: 'A', host: 'h' }, context) };
}

describe('state of a session in list, hover, notification and panel', () => {
  it('is done once its calls have results', () => {
    const { session, events, later = [] } = fieldEnd('c01-idle-before-result');
    const before = surfacesOf(session, events);
    assert.deepEqual([before.row.state, before.row.rest, before.view.endId], ['idle', undefined, undefined]);
    const after = surfacesOf(session, [...events, ...later]);
    assert.deepEqual([after.row.rest, after.view.endId], [{ kind: 'done' }, 'sevt_0008']);
  });

  it('is a refusal with its category, or an empty turn', () => {
    const named = fieldEnd('c02a-refusal-reason');
    const { row, presented, hover } = surfacesOf(named.session, named.events);
    assert.match(presented.description, /refused \(cyber\): The request was declined\./);
    assert.deepEqual([presented.icon, isTrouble(row)], ['circle-slash', true]);
    assert.match(hover, /Failed: refused/);
    assert.equal(describeEnd(row, context), '"c02a refusal named" failed: refused (cyber): The request was declined');
    const silent = fieldEnd('c02b-refusal-silent');
    const empty = surfacesOf(silent.session, silent.events);
    assert.match(empty.presented.description, /no answer/);
    assert.match(empty.hover, /Failed: no answer/);
    assert.ok(isTrouble(empty.row));
  });

  for (const name of ['c04b-limit-retries', 'c20a-error-still-running', 'c20b-terminated-why']) {
    it(`is the service's message in ${name}`, () => {
      const { session, events } = fieldEnd(name);
      const { row, presented, hover } = surfacesOf(session, events);
      const error = events.find(({ type }) => type === 'session.error')?.error as { readonly message: string };
      assert.equal(row.state, session.status === 'terminated' ? 'terminated' : 'failed');
      assert.ok(presented.description.includes(error.message));
      assert.ok(presented.spoken.includes(error.message));
      assert.ok(hover.replaceAll('\\', '').includes(error.message));
      assert.ok(describeEnd(row, context).includes(error.message.replace(/\.$/, '')));
    });
  }
});
