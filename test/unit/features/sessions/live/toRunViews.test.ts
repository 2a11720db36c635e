import assert from 'node:assert/strict';
import type { SessionSource } from '../../../../../src/features/sessions/facts/sessionSource';
import { createSessionView } from '../../../../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { toLanes } from '../../../../../src/webview/session/pictures/lanes';

const run = { workflow_run_id: 'wrun_1' };
const phases = [
  { id: 'p1', name: 'Build', description: null },
  { id: 'p2', name: 'Test', description: null },
];

/** A run of two phases. The first phase has `count` agents, of which the first is idle. The second phase has not started. */
function running(count: number): TranscriptEvent[] {
  const events: TranscriptEvent[] = [
    { type: 'session.status_running', id: 's' },
    { type: 'workflow_run.created', id: 'c', ...run, name: 'nightly', description: 'Builds and tests.', phases },
    { type: 'workflow_run.status_running', id: 'r', ...run },
    { type: 'workflow_run.phase_started', id: 'f1', ...run, workflow_run_phase_id: 'p1' },
  ];
  for (let at = 0; at < count; at++) {
    const thread = { session_thread_id: `t${at}`, agent_name: 'builder' };
    events.push({ type: 'session.thread_created', id: `n${at}`, ...run, ...thread });
    events.push({ type: 'session.thread_status_running', id: `w${at}`, ...thread, processed_at: new Date(at * 1000).toISOString() });
  }
  events.push({ type: 'session.thread_status_idle', id: 'i0', session_thread_id: 't0', agent_name: 'builder' });
  return events;
}

function viewOf(events: readonly TranscriptEvent[], source: Partial<SessionSource> = {}) {
  const transcript = new Transcript();
  transcript.append(events);
  const view = createSessionView({ session: { id: 'sesn_1', status: 'running' }, ...source }, transcript.state());
  return { ...view, rows: transcript.rows, run: view.runs?.[0] };
}

describe('features/sessions/live/toRunViews', () => {
  it('expands a run to its phases, and phases to the agents that started in them', () => {
    const { run: view, rows } = viewOf(running(3));
    assert.deepEqual([view?.name, view?.state, view?.agents, view?.running], ['nightly', 'running', 3, 2]);
    assert.deepEqual(
      view?.phases.map(({ name, state, agents, running: busy }) => [name, state, agents, busy]),
      [
        ['Build', 'running', 3, 2],
        ['Test', 'waiting', 0, 0],
      ],
    );
    // Running agents come first. Agents with the same name are numbered.
    assert.deepEqual(
      view?.phases[0]?.shown.map(({ name, status }) => [name, status]),
      [
        ['builder 2', 'running'],
        ['builder 3', 'running'],
        ['builder 1', 'idle'],
      ],
    );
    assert.equal(rows.filter(({ kind }) => kind === 'run').length, 1);
  });

  it('shows the abandoned phase and the end of the program in one row', () => {
    const { run: view, rows } = viewOf([
      ...running(1),
      { type: 'workflow_run.phase_ended', id: 'e1', ...run, workflow_run_phase_id: 'p1', phase_started_id: 'f1' },
      { type: 'workflow_run.status_idle', id: 'idle', ...run },
      { type: 'workflow_run.status_ended', id: 'end', ...run, result: { type: 'completed' } },
    ]);
    assert.deepEqual([view?.state, view?.phases.map(({ state }) => state)], ['completed', ['left', 'waiting']]);
    const row = rows.find(({ kind }) => kind === 'run');
    assert.ok(row?.kind === 'run');
    assert.deepEqual([row.name, row.result], ['nightly', 'completed']);
  });

  it('keeps unknown results, phases without a name, and errors without a run', () => {
    const { run: view, rows } = viewOf([
      ...running(0),
      { type: 'workflow_run.phase_started', id: 'f9', ...run, workflow_run_phase_id: 'p9' },
      { type: 'workflow_run.status_ended', id: 'end', ...run, result: { type: 'postponed' } },
      { type: 'workflow_run.error', id: 'e', workflow_run_id: null, error: { type: 'max_workflow_runs_error', message: 'Too many runs.' } },
    ]);
    assert.deepEqual([view?.state, view?.phases.map(({ name }) => name)], ['postponed', ['Build', 'Test', 'p9']]);
    const error = rows.find(({ kind }) => kind === 'error');
    assert.deepEqual(error?.kind === 'error' && [error.errorType, error.message], ['max_workflow_runs_error', 'Too many runs.']);
  });

  it('shows cost, tokens and asks of an agent, waiting ones first', () => {
    const usage = { input_tokens: 40, output_tokens: 2, list_cost: { amount: '12', currency: 'USD' } };
    const asking: TranscriptEvent[] = [
      { type: 'agent.tool_use', id: 'ask', name: 'bash', input: {}, evaluated_permission: 'ask', session_thread_id: 't0' },
      { type: 'session.status_idle', id: 'wait', stop_reason: { type: 'requires_action', event_ids: ['ask'] } },
    ];
    const threads = [
      { id: 'own', parent_thread_id: null },
      { id: 't0', parent_thread_id: 'own', workflow_run_id: 'wrun_1', agent: { name: 'builder' }, status: 'idle', usage },
    ];
    const { run: view, asks, threads: tabs } = viewOf([...running(2), ...asking], { threads });
    const [first] = view?.phases[0]?.shown ?? [];
    assert.deepEqual([first?.thread, first?.waiting, first?.tokens, first?.cost?.cents], ['t0', 1, 42, 12]);
    assert.equal(view?.waiting, 1);
    assert.deepEqual(
      asks.map(({ threadName }) => threadName),
      ['builder'],
    );
    assert.deepEqual(
      tabs.map(({ id }) => id),
      ['own'],
    );
  });

  it('shows a few of a thousand agents, and tabs only of opened ones', () => {
    const { run: view, threads, rows } = viewOf(running(1000), { opened: new Set(['t7']) });
    assert.equal(view?.agents, 1000);
    assert.equal(view?.phases.flatMap(({ shown }) => shown).length, 30);
    assert.deepEqual(
      threads.map(({ id }) => id),
      ['', 't7'],
    );
    assert.ok(JSON.stringify(view).length < 10_000);
    const lanes = toLanes(rows, threads, { isComplete: true }).lanes.map(({ thread }) => thread);
    assert.deepEqual(lanes, ['', 't7']);
  });
});
