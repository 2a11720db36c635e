import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { type LaneOptions, type Lanes, toLanes } from '../../../../../src/webview/session/pictures/lanes';
import { eventLogs } from '../../../shared/session/eventLogs';
import { recordedStream, withoutPreviews } from '../../../shared/session/recordings';

function lanesOf(events: readonly TranscriptEvent[], options: LaneOptions = {}): Lanes {
  const transcript = new Transcript();
  transcript.append(events);
  return toLanes(transcript.rows, createSessionView({}, transcript.state()).threads, options);
}

const start = Date.parse('2026-11-21T09:00:00.000Z');
const at = (ms: number) => new Date(start + ms).toISOString();
const brief = (lanes: Lanes, lane = 0) => ({
  states: lanes.lanes[lane]?.states.map(({ kind, from, to }) => [kind, from - lanes.from, to - lanes.from]),
  work: lanes.lanes[lane]?.work.map(({ kind, from, to, key }) => [kind, from - lanes.from, to - lanes.from, key]),
});

const turn: readonly TranscriptEvent[] = [
  { type: 'user.message', id: 'm', content: 'go', processed_at: at(0) },
  { type: 'session.status_running', id: 'r', processed_at: at(100) },
  { type: 'span.model_request_start', id: 's', processed_at: at(150) },
  { type: 'agent.tool_use', id: 'c', name: 'bash', input: {}, evaluated_permission: 'ask', processed_at: at(900) },
  { type: 'span.model_request_end', id: 'e', model_request_start_id: 's', processed_at: at(1000) },
  { type: 'session.status_idle', id: 'i', stop_reason: { type: 'requires_action', event_ids: ['c'] }, processed_at: at(1100) },
  { type: 'user.tool_confirmation', id: 'y', tool_use_id: 'c', result: 'allow', processed_at: at(5000) },
  { type: 'session.status_running', id: 'r2', processed_at: at(5100) },
  { type: 'agent.tool_result', id: 'x', tool_use_id: 'c', processed_at: at(6000) },
  { type: 'session.status_idle', id: 'i2', stop_reason: { type: 'end_turn' }, processed_at: at(7000) },
];

describe('webview/session/pictures/lanes', () => {
  it('draws what a thread was and did', () => {
    const lanes = lanesOf([...turn, { type: 'user.message', id: 'm2', content: 'on', processed_at: at(9000) }]);
    assert.equal(lanes.axis, 'time');
    assert.deepEqual(brief(lanes), {
      states: [
        ['running', 100, 1100],
        ['waiting', 1100, 5100],
        ['running', 5100, 7000],
        ['idle', 7000, 9000],
      ],
      work: [
        ['model', 150, 1000, 's'],
        ['waiting', 900, 5000, 'c'],
        ['tool', 5000, 6000, 'c'],
      ],
    });
  });

  it('counts events if times are missing or too coarse, and says so', () => {
    const untimed = lanesOf(turn.map(({ processed_at: _, ...event }) => event));
    assert.deepEqual([untimed.axis, untimed.reason, untimed.from, untimed.to], ['order', 'noTimes', 0, 9]);
    assert.deepEqual(brief(untimed).work, [
      ['model', 2, 4, 's'],
      ['waiting', 3, 6, 'c'],
      ['tool', 6, 8, 'c'],
    ]);
    const coarse = lanesOf(turn.map(event => ({ ...event, processed_at: '2026-11-21T09:00:00Z' })));
    assert.deepEqual([coarse.axis, coarse.reason], ['order', 'wholeSeconds']);
    assert.equal(lanesOf(turn, { axis: 'order' }).reason, undefined);
    assert.deepEqual(lanesOf([]), {
      axis: 'order',
      reason: 'noTimes',
      from: 0,
      to: 0,
      lanes: [{ thread: '', name: 'Main', states: [], work: [] }],
    });
  });

  it('gives each thread a lane', () => {
    const child = [
      { type: 'session.thread_created', id: 't', session_thread_id: 'child', agent_name: 'reviewer', processed_at: at(200) },
      { type: 'session.thread_status_running', id: 'tr', session_thread_id: 'child', processed_at: at(300) },
      {
        type: 'session.thread_status_idle',
        id: 'ti',
        session_thread_id: 'child',
        stop_reason: { type: 'end_turn' },
        processed_at: at(800),
      },
    ];
    const lanes = lanesOf([...turn, ...child]);
    assert.deepEqual(
      lanes.lanes.map(({ name }) => name),
      ['Main', 'reviewer'],
    );
    assert.deepEqual(brief(lanes, 1).states, [
      ['running', 300, 800],
      ['idle', 800, 7000],
    ]);
  });

  it('draws a recorded session in order of time', () => {
    const lanes = lanesOf(withoutPreviews(recordedStream('125-stream-tool-confirm.sse')));
    assert.equal(lanes.axis, 'time');
    const [main] = lanes.lanes;
    assert.equal(main?.work.filter(({ kind }) => kind === 'model').length, 5);
    assert.ok(main?.states.some(({ kind }) => kind === 'running'));
  });

  it('never draws backwards or out of bounds, for any log', () => {
    fc.assert(
      fc.property(eventLogs, fc.constantFrom('time', 'order', undefined), (events, axis) => {
        const lanes = lanesOf(events, axis === undefined ? {} : { axis });
        for (const { states, work } of lanes.lanes) {
          for (const { from, to } of [...states, ...work]) {
            assert.ok(lanes.from <= from && from <= to && to <= lanes.to);
          }
          states.forEach((state, place) => {
            assert.ok(place === 0 || (states[place - 1]?.to ?? 0) <= state.from);
          });
        }
      }),
    );
  });
});
