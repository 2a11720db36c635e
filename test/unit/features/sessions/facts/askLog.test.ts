import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AskLog, nextAskLog, questionIn } from '../../../../../src/features/sessions/facts/askLog';
import { openAsks } from '../../../../../src/features/sessions/facts/openAsks';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { runs } from '../../../../helpers/runs';

/** A random step in a session with two sub-agents. `ask` is the index of an open ask. */
const happening = fc.record({
  what: fc.constantFrom('ask', 'custom', 'rest', 'restThread', 'answer', 'message', 'run', 'interrupt', 'endThread'),
  ask: fc.nat(5),
  thread: fc.constantFrom(undefined, 'kid', 'other'),
});

/** Returns a log with one event per step. */
function logOf(happenings: readonly (typeof happening extends fc.Arbitrary<infer T> ? T : never)[]): readonly TranscriptEvent[] {
  const waiting = new Map<string, string | undefined>();
  return happenings.map(({ what, ask, thread }, place): TranscriptEvent => {
    const event = (type: string, more: object = {}) => ({
      ...{ type, id: `e${place}` },
      ...(thread === undefined ? {} : { session_thread_id: thread }),
      ...more,
    });
    const own = [...waiting].filter(([, of]) => of === thread).map(([id]) => id);
    const stop_reason = own.length === 0 ? { type: 'end_turn' } : { type: 'requires_action', event_ids: own };
    const asked = [...waiting.keys()][ask];
    switch (what) {
      case 'ask':
        waiting.set(`e${place}`, thread);
        return event('agent.tool_use', { name: 'bash', input: { ask }, evaluated_permission: 'ask' });
      case 'custom':
        waiting.set(`e${place}`, thread);
        return event('agent.custom_tool_use', { name: 'price', input: { ask } });
      case 'rest':
        return { type: 'session.status_idle', id: `e${place}`, stop_reason: { type: 'requires_action', event_ids: [...waiting.keys()] } };
      case 'restThread':
        return event(thread === undefined ? 'agent.message' : 'session.thread_status_idle', { stop_reason });
      case 'answer':
        waiting.delete(asked ?? '');
        return { type: 'user.tool_confirmation', id: `e${place}`, tool_use_id: asked, result: 'allow' };
      case 'run':
        return event(thread === undefined ? 'session.status_running' : 'session.thread_status_running');
      case 'interrupt':
      case 'endThread':
        for (const [id, of] of waiting) {
          if (thread === undefined ? what === 'interrupt' : of === thread) {
            waiting.delete(id);
          }
        }
        return event(what === 'interrupt' ? 'user.interrupt' : thread === undefined ? 'agent.message' : 'session.thread_status_terminated');
      default:
        return event('agent.message');
    }
  });
}

const idsOf = (asks: readonly { readonly eventId: string }[]) => asks.map(({ eventId }) => eventId).sort();

describe('features/sessions/facts/askLog', () => {
  it('derives the same state from the newest events of each read as from the whole log', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 120, size: 'max' }),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        (all, steps) => {
          const log = logOf(all);
          let known: AskLog | undefined;
          for (let end = 0; end <= log.length; end += steps.next().value ?? 1) {
            // The read overlaps the previous read by a few events, or starts at the start of the log.
            const start = known === undefined ? 0 : Math.max(0, end - 33);
            known = nextAskLog(known, { events: log.slice(start, end), isWhole: start === 0 });
            assert.deepEqual([idsOf(known.asks), known.isComplete], [idsOf(openAsks(log.slice(0, end))), true]);
          }
        },
      ),
      { numRuns: runs(600, 60) },
    );
  });

  const asking = { type: 'agent.tool_use', id: 'ask', name: 'bash', input: {}, evaluated_permission: 'ask', session_thread_id: 'kid' };
  const filler = (count: number, name = 'm') => Array.from({ length: count }, (_, at) => ({ type: 'agent.message', id: `${name}${at}` }));

  it("ends no ask because of unread events, and doesn't claim to be complete", () => {
    const first = nextAskLog(undefined, { events: [asking], isWhole: true });
    const later = nextAskLog(first, { events: filler(60), isWhole: false });
    assert.deepEqual([idsOf(later.asks), later.isComplete], [['ask'], false]);
    assert.deepEqual(later.asks, first.asks);
    const none = nextAskLog(later, { events: [], isWhole: false });
    assert.deepEqual([idsOf(none.asks), none.newest], [['ask'], later.newest]);
  });

  it('returns the question of a message in any script', () => {
    const questionOf = (text: string) =>
      questionIn([{ type: 'agent.message', id: 'm', content: [{ type: 'text', text }] }], { kind: 'asked', eventId: 'm' });
    assert.equal(questionOf('I read all. Go on?'), 'Go on?');
    assert.equal(questionOf('\u6211\u8bfb\u4e86\u3002\u7ee7\u7eed\u5417\uff1f'), '\u7ee7\u7eed\u5417\uff1f');
    assert.equal(questionOf('\u0642\u0631\u0623\u062a. \u0646\u0648\u0627\u0635\u0644\u061f'), '\u0646\u0648\u0627\u0635\u0644\u061f');
    assert.equal(questionOf('Done.'), undefined);
  });

  it('is complete again once the whole log was read', () => {
    const first = nextAskLog(undefined, { events: [asking], isWhole: false });
    assert.equal(first.isComplete, false);
    const answer = { type: 'user.tool_confirmation', id: 'a', tool_use_id: 'ask' };
    const whole = nextAskLog(first, { events: [asking, answer, ...filler(9)], isWhole: true });
    assert.deepEqual([idsOf(whole.asks), whole.isComplete], [[], true]);
  });
});
