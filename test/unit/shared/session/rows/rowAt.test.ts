import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { rowAt } from '../../../../../src/shared/session/rows/rowAt';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { eventLogs } from '../eventLogs';
import { recordedStream, withoutPreviews } from '../recordings';

function transcriptOf(events: readonly TranscriptEvent[]): Transcript {
  const transcript = new Transcript('main');
  transcript.append(events);
  return transcript;
}

/** Asserts at every moment that the rows of the whole log, reset to that moment, equal the rows of a log that ends there. */
function assertEveryMoment(events: readonly TranscriptEvent[], every = 1): void {
  const whole = transcriptOf(events);
  for (let size = 0; size <= events.length; size += every) {
    const past = whole.rows.map(row => rowAt(row, size - 1)).filter(row => row !== undefined);
    assert.deepEqual(past.map(withoutHindsight), transcriptOf(events.slice(0, size)).rows.map(withoutHindsight));
  }
}

/** Removes what a row may know too early: which of two ids answers an ask. */
function withoutHindsight(row: Row): object {
  return row.kind === 'tool' ? { ...row, askId: undefined } : row;
}

describe('shared/session/rows/rowAt', () => {
  it('puts rows back to any moment of a recorded stream', () => {
    assertEveryMoment(withoutPreviews(recordedStream('125-stream-tool-confirm.sse')));
  });

  it('puts rows back to a moment between two ends of a session', () => {
    assertEveryMoment([
      { type: 'user.message', id: 'e0', processed_at: null, content: [{ type: 'text', text: 'words' }] },
      { type: 'session.status_terminated', id: 'e1', processed_at: '2026-11-21T09:00:00.000Z' },
      { type: 'session.deleted', id: 'e2', processed_at: '2026-11-21T09:00:01.000Z' },
    ]);
  });

  it('puts rows back to a moment between two ends of a workflow run', () => {
    const end = { type: 'workflow_run.status_ended', workflow_run_id: 'w1', processed_at: '2026-11-21T09:00:00.000Z' };
    assertEveryMoment([
      { ...end, id: 'e0', result: { type: 'completed' } },
      { ...end, id: 'e1', result: { type: 'error' } },
    ]);
  });

  it('puts rows back to a moment between two copies of a call, whose thread only the first one names', () => {
    const call = { type: 'agent.tool_use', name: 'bash', input: {}, tool_use_id: 'toolu_1', processed_at: '2026-11-21T09:00:00.000Z' };
    assertEveryMoment([
      { type: 'span.model_request_start', id: 'e0' },
      { ...call, id: 'e1', session_thread_id: 'child' },
      { type: 'span.model_request_end', id: 'e2', model_request_start_id: 'e0', model_usage: { input_tokens: 7 } },
      { ...call, id: 'e3', evaluated_permission: 'ask' },
    ]);
  });

  it('puts rows back to any moment of any log', () => {
    fc.assert(fc.property(eventLogs, events => assertEveryMoment(events)));
  });
});

describe('shared/session/facts/factsHistory', () => {
  it('knows the state at any moment of any log', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const whole = transcriptOf(events);
        for (let size = 0; size <= events.length; size++) {
          const { facts, size: count } = transcriptOf(events.slice(0, size)).stateAt();
          const past = whole.stateAt(size - 1);
          assert.deepEqual(past.facts, facts);
          assert.equal(past.size, count);
        }
      }),
    );
  });

  it('finds a moment far from both ends', () => {
    const events = Array.from({ length: 5500 }, (_, place) => ({
      type: 'session.usage',
      id: `e${place}`,
      usage: { input_tokens: place },
      processed_at: new Date(place).toISOString(),
    }));
    const transcript = transcriptOf(events);
    for (const seq of [0, 998, 999, 1000, 1001, 2999, 4321, 5498, 5499]) {
      assert.equal(transcript.stateAt(seq).facts.usage?.value.input_tokens, seq);
    }
    assert.equal(transcript.stateAt(-1).facts.usage, undefined);
  });

  it('keeps what it gave while the log goes on', () => {
    const transcript = transcriptOf([{ type: 'session.thread_created', id: 'a', session_thread_id: 't1', agent_name: 'one' }]);
    const { facts } = transcript.stateAt();
    transcript.append([{ type: 'session.thread_created', id: 'b', session_thread_id: 't2', agent_name: 'two' }]);
    assert.deepEqual([...facts.threads.keys()], ['t1']);
    assert.deepEqual([...transcript.stateAt().facts.threads.keys()], ['t1', 't2']);
  });
});
