import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { knownEventTypes } from '../../../../../src/shared/session/rows/eventRows';
import { noteEventTypes, noteTitle } from '../../../../../src/shared/session/rows/noteEvents';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { inEnglish } from '../../../../../src/shared/session/translateText';

function rowsOf(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

function only(event: TranscriptEvent): Row {
  const [row, ...rest] = rowsOf([event]);
  assert.ok(row !== undefined && rest.length === 0);
  return row;
}

const at = (second: number, fraction = '.000') => `2026-11-21T09:00:${String(second).padStart(2, '0')}${fraction}Z`;

describe('shared/session/rows/eventRows', () => {
  it('shows every stored type of event, even without content', () => {
    assert.equal(knownEventTypes.length, 42);
    const kinds = Object.fromEntries(knownEventTypes.map(type => [type, only({ type, id: 'e', workflow_run_id: 'w' }).kind]));
    assert.ok(!Object.values(kinds).includes('unknown'));
    assert.equal(kinds['agent.custom_tool_use'], 'tool');
    assert.equal(kinds['session.status_rescheduled'], 'status');
    assert.equal(kinds['workflow_run.phase_ended'], 'run');
  });

  it('shows a note with its text, and without one with its fields', () => {
    for (const type of noteEventTypes) {
      const bare = only({ type, id: 'n' });
      assert.ok(bare.kind === 'note' && bare.summary === '' && bare.details === undefined);
      const said = only({ type, id: 'n', text: 'one\ntwo', by: 'Ann' });
      assert.ok(said.kind === 'note' && said.details?.type === 'text');
      assert.deepEqual([said.summary, said.details.text], ['one two', 'one\ntwo']);
      const other = only({ type, id: 'n', by: 'Ann' });
      assert.ok(other.kind === 'note' && other.details?.type === 'json');
      assert.deepEqual(JSON.parse(other.details.text), { by: 'Ann' });
      assert.ok(noteTitle(bare, inEnglish) !== type);
    }
  });

  it("doesn't show times among the changes of an update", () => {
    const times = { created_at: at(1), processed_at: at(2), timestamp: at(3), processed_at_ms: 4, ts: 5 };
    const row = only({ type: 'session.updated', id: 'e', metadata: { a: '1' }, ...times });
    assert.equal(row.summary, 'metadata');
    assert.ok(row.kind === 'update' && row.details?.type === 'json');
    assert.deepEqual(JSON.parse(row.details.text), { metadata: { a: '1' } });
    assert.ok(!('details' in only({ type: 'agent.thread_context_compacted', id: 'c', ...times })));
  });

  it('masks secrets in JSON', () => {
    const secret = { authorization_token: 'ghp_canary', url: 'https://me:canary@example.com/r' };
    for (const event of [
      { type: 'session.updated', id: 'e1', resources: [secret] },
      { type: 'later.invented', id: 'e2', nested: { secret } },
      { type: 'session.error', id: 'e3', error: { type: 'mcp', message: 'no', server: secret } },
    ]) {
      const transcript = new Transcript();
      transcript.append([event]);
      assert.match(JSON.stringify(transcript.rows), /hidden/);
      assert.doesNotMatch(JSON.stringify(transcript.rows), /canary/);
    }
  });

  it('shows an event of unknown type completely', () => {
    const row = only({ type: 'workflow_run.phase_started', id: 'w', phase: { name: 'build' } });
    assert.ok(row.kind === 'unknown');
    assert.equal(row.summary, 'workflow_run.phase_started');
    assert.ok(row.json.type === 'json');
    assert.deepEqual(JSON.parse(row.json.text), { type: 'workflow_run.phase_started', id: 'w', phase: { name: 'build' } });
  });

  it("shows the service's own decision about a call, and keeps unknown words", () => {
    const call = (evaluation: object, permission?: string) => {
      const row = only({ type: 'agent.tool_use', id: 'c', name: 'bash', input: {}, evaluated_permission: permission, evaluation });
      return row.kind === 'tool' ? [row.permission, row.decision, row.state] : [];
    };
    const auto = (result: object) => ({ type: 'auto', evaluated_permission: result });
    assert.deepEqual(call({ type: 'always_allow' }, 'allow'), ['allow', undefined, 'running']);
    assert.deepEqual(call(auto({ type: 'allow' }), 'allow'), ['allow', { result: 'allow' }, 'running']);
    const denied = { result: 'deny', reason: 'high_risk' };
    assert.deepEqual(call(auto({ type: 'deny', reason_code: 'high_risk' })), ['deny', denied, 'denied']);
    assert.deepEqual(call(auto({ type: 'postpone', reason_code: 'new_code' })), [
      'postpone',
      { result: 'postpone', reason: 'new_code' },
      'running',
    ]);
    assert.deepEqual(call(auto({ type: 5 }), 'ask'), ['ask', undefined, 'waiting']);
  });

  it('joins an MCP call and its result in one row, with server and duration', () => {
    const [row, ...rest] = rowsOf([
      { type: 'agent.mcp_tool_use', id: 'c', name: 'search', mcp_server_name: 'docs', input: { q: 'x' }, processed_at: at(1) },
      { type: 'agent.mcp_tool_result', id: 'r', mcp_tool_use_id: 'c', content: [], is_error: true, processed_at: at(1, '.250') },
    ]);
    assert.ok(row?.kind === 'tool' && rest.length === 0);
    assert.deepEqual([row.tool, row.name, row.server, row.state, row.durationMs], ['mcp', 'search', 'docs', 'failed', 250]);
    assert.equal(row.summary, 'docs: search { "q": "x" }');
  });

  it('measures a confirmed call from its confirmation', () => {
    const [row] = rowsOf([
      { type: 'agent.tool_use', id: 'c', name: 'bash', input: {}, evaluated_permission: 'ask', processed_at: at(1) },
      { type: 'user.tool_confirmation', id: 'y', tool_use_id: 'c', result: 'allow', processed_at: at(31) },
      { type: 'agent.tool_result', id: 'r', tool_use_id: 'c', processed_at: at(31, '.500') },
    ]);
    assert.ok(row?.kind === 'tool');
    assert.deepEqual([row.state, row.durationMs, row.confirmation?.seq, row.result?.seq], ['done', 500, 1, 2]);
  });

  it('derives durations from whole seconds only if seconds passed', () => {
    const durationOf = (from: string, to: string) => {
      const [row] = rowsOf([
        { type: 'agent.tool_use', id: 'c', name: 'bash', input: {}, created_at: from },
        { type: 'agent.tool_result', id: 'r', tool_use_id: 'c', created_at: to },
      ]);
      return row?.kind === 'tool' ? row.durationMs : 'no tool';
    };
    assert.equal(durationOf(at(1, ''), at(1, '')), undefined);
    assert.equal(durationOf(at(1, ''), at(4, '')), 3000);
    assert.equal(durationOf(at(1), at(1)), 0);
    assert.equal(durationOf(at(1, ''), at(1, '.900')), undefined);
    assert.equal(durationOf(at(4), at(1)), undefined);
    assert.equal(durationOf('yesterday', at(1)), undefined);
  });

  it('shows denied, interrupted, waiting and running calls', () => {
    const call = { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} };
    const custom = { type: 'agent.custom_tool_use', id: 'c', name: 'ask', input: {} };
    const idle = (type: string, ids: readonly string[] = []) => ({
      type: 'session.status_idle',
      id: 'i',
      stop_reason: { type, event_ids: ids },
    });
    const stateOf = (...events: readonly TranscriptEvent[]) => {
      const [row] = rowsOf(events);
      return row?.kind === 'tool' ? row.state : 'no tool';
    };
    assert.equal(stateOf(call), 'running');
    assert.equal(stateOf({ ...call, evaluated_permission: 'deny' }), 'denied');
    assert.equal(stateOf(call, idle('requires_action', ['c'])), 'waiting');
    assert.equal(stateOf(call, idle('requires_action', ['other'])), 'held');
    assert.equal(stateOf(call, idle('end_turn')), 'interrupted');
    assert.equal(stateOf({ ...call, session_thread_id: 'child' }, idle('end_turn')), 'elsewhere');
    assert.equal(stateOf({ ...call, session_thread_id: 'child' }, { type: 'session.status_terminated', id: 't' }), 'interrupted');
    assert.equal(stateOf(custom), 'waiting');
    assert.equal(stateOf(custom, idle('budget_reached')), 'waiting');
    assert.equal(stateOf(call, idle('budget_reached')), 'interrupted');
    assert.equal(stateOf(custom, { type: 'user.interrupt', id: 'x' }, idle('end_turn')), 'interrupted');
  });

  it('separates two calls with one ID that would do different things', () => {
    const call = { type: 'agent.tool_use', name: 'bash', tool_use_id: 'toolu_1' };
    const rows = rowsOf([
      { ...call, id: 'a', input: { command: 'ls' } },
      { ...call, id: 'b', input: { command: 'rm -rf /' }, evaluated_permission: 'ask' },
    ]);
    assert.deepEqual(
      rows.map(row => row.kind === 'tool' && [row.key, row.state]),
      [
        ['a', 'running'],
        ['b', 'waiting'],
      ],
    );
  });

  it('shows a result without its call', () => {
    const row = only({ type: 'agent.tool_result', id: 'r', tool_use_id: 'gone', content: 'words', is_error: false });
    assert.ok(row.kind === 'tool');
    assert.deepEqual([row.name, row.input, row.state], ['', { type: 'json', text: '' }, 'done']);
    assert.deepEqual(row.result?.parts, [{ type: 'text', text: 'words' }]);
  });

  it('reads tokens of a span flat or by model ID, and leaves missing ones undefined', () => {
    const tokensOf = (usage: object) => {
      const row = only({ type: 'span.model_request_end', id: 'e', ...usage });
      return row.kind === 'model' ? row.tokens : 'no model';
    };
    const nothing = { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined };
    assert.deepEqual(tokensOf({ model_usage: { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 0 } }), {
      ...nothing,
      input: 1,
      output: 2,
      cacheWrite: 0,
    });
    assert.deepEqual(tokensOf({ model_usage: { a: { inputTokens: 1 }, b: { inputTokens: 2, outputTokens: 3 } } }), {
      ...nothing,
      input: 3,
      output: 3,
    });
    assert.deepEqual(tokensOf({ model_usage: { a: { inputTokens: 1 } }, usage: { input_tokens: 9, cache_read_input_tokens: 4 } }), {
      ...nothing,
      input: 1,
      cacheRead: 4,
    });
    assert.equal(tokensOf({ model_usage: {} }), undefined);
    assert.equal(tokensOf({}), undefined);
  });

  it('ends a cut-off model request at the end of its turn, or at the next request', () => {
    const rows = rowsOf([
      { type: 'span.model_request_start', id: 'a' },
      { type: 'session.status_idle', id: 'i', stop_reason: { type: 'end_turn' } },
      { type: 'span.model_request_start', id: 'b' },
      { type: 'span.model_request_start', id: 'c' },
    ]);
    assert.deepEqual(
      rows.map(row => row.kind === 'model' && [row.end !== undefined, row.end?.seq, row.tokens]),
      [[true, 1, undefined], false, [true, 3, undefined], [false, undefined, undefined]],
    );
  });

  it('follows an evaluation from start to end in one row', () => {
    const rows = rowsOf([
      {
        type: 'user.define_outcome',
        id: 'd',
        outcome_id: 'o',
        description: 'Goal',
        rubric: { type: 'text', content: '# r' },
        max_iterations: 2,
      },
      { type: 'span.outcome_evaluation_start', id: 's', outcome_id: 'o', iteration: 1 },
      { type: 'span.outcome_evaluation_ongoing', id: 'g', outcome_id: 'o', iteration: 1 },
      {
        type: 'span.outcome_evaluation_end',
        id: 'e',
        outcome_evaluation_start_id: 's',
        outcome_id: 'o',
        iteration: 1,
        result: 'satisfied',
        explanation: 'Well done',
      },
    ]);
    assert.deepEqual(
      rows.map(row => row.kind === 'outcome' && [row.step, row.outcomeId, row.iteration, row.result, row.summary]),
      [
        ['defined', 'o', undefined, undefined, 'Goal'],
        ['ended', 'o', 1, 'satisfied', 'satisfied: Well done'],
      ],
    );
  });

  it('shows the error and what happens next, and the rest as JSON', () => {
    const error = { type: 'mcp_connection_failed_error', message: 'no route', retry_status: { type: 'retrying' }, mcp_server_name: 'docs' };
    const row = only({ type: 'session.error', id: 'e', error });
    assert.ok(row.kind === 'error');
    assert.deepEqual([row.errorType, row.message, row.retry], ['mcp_connection_failed_error', 'no route', 'retrying']);
    assert.deepEqual(row.details, { type: 'json', text: '{\n  "mcp_server_name": "docs"\n}' });
    const plain = only({ type: 'session.error', id: 'e', error: 'it broke' });
    assert.ok(plain.kind === 'error');
    assert.equal(plain.message, 'it broke');
  });

  it('shows usage with its cost', () => {
    const row = only({
      type: 'session.usage',
      id: 'u',
      usage: { input_tokens: 5, cache_creation: { ephemeral_5m_input_tokens: 3 }, list_cost: { amount: '125', currency: 'USD' } },
    });
    assert.ok(row.kind === 'usage');
    assert.deepEqual(row.cost, { cents: 125, currency: 'USD' });
    assert.deepEqual(row.tokens, { input: 5, output: undefined, cacheRead: undefined, cacheWrite: 3 });
  });

  it("reads the waiting event IDs from each service's field", () => {
    const row = only({
      type: 'session.status_idle',
      id: 'i',
      requires_action_details: { type: 'requires_action', event_ids: ['a', 'a', 7, 'b'] },
    });
    assert.ok(row.kind === 'status');
    assert.deepEqual(row.stopReason, 'requires_action');
  });
});
