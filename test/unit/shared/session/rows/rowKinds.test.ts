import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { isShown, type ShownRows } from '../../../../../src/shared/session/rows/rowKinds';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { approval, rowsOf, simpleTurn } from '../../../../webview/recordedSessions';

const shown = (rows: readonly Row[], which: ShownRows): readonly string[] =>
  rows.filter(row => isShown(row, which)).map(({ kind }) => kind);
const idle = (reason: string): TranscriptEvent => ({ type: 'session.status_idle', id: 'i', stop_reason: { type: reason } });

describe('shared/session/rows/rowKinds', () => {
  it('has at most six rows in the conversation of a simple turn with four tool calls', () => {
    const rows = rowsOf(simpleTurn);
    assert.deepEqual(shown(rows, 'conversation'), ['user', 'tool', 'tool', 'tool', 'tool', 'agent']);
    assert.equal(shown(rows, 'everything').length, rows.length);
    assert.deepEqual(shown(rows, 'errors'), []);
  });

  it('shows the request and answer of another agent, and no row for an answered ask', () => {
    const kinds = ['user', 'thinking', 'agent', 'tool', 'thread', 'thread', 'tool'];
    assert.deepEqual(shown(rowsOf(approval(false)), 'conversation'), kinds);
    assert.deepEqual(shown(rowsOf(approval(true)), 'conversation'), [...kinds, 'agent']);
  });

  it('shows changes of state only if they matter to a person', () => {
    const events: readonly (readonly [TranscriptEvent, boolean])[] = [
      [{ type: 'session.status_running', id: 'r' }, false],
      [idle('end_turn'), false],
      [idle('requires_action'), false],
      [idle('interrupted'), false],
      [idle('budget_reached'), true],
      [idle('retries_exhausted'), true],
      [idle('refusal'), true],
      [idle('gone_fishing'), true],
      [{ type: 'user.interrupt', id: 'u' }, true],
      [{ type: 'session.status_rescheduled', id: 's' }, true],
      [{ type: 'session.status_terminated', id: 't' }, true],
      [{ type: 'session.updated', id: 'n', title: 'x' }, false],
      [{ type: 'agent.thread_context_compacted', id: 'c' }, false],
      [{ type: 'session.updated', id: 'a', agent: { id: 'agent_2' } }, true],
    ];
    for (const [event, isSeen] of events) {
      assert.equal(shown(rowsOf([event]), 'conversation').length, isSeen ? 1 : 0, JSON.stringify(event));
    }
  });

  it('counts failures as errors, including failed model requests and unsent messages', () => {
    const failed = { type: 'agent.tool_result', id: 'r', tool_use_id: 'c', is_error: true, content: 'no' };
    const rows = rowsOf([
      { type: 'agent.tool_use', id: 'c', name: 'bash', input: {} },
      failed,
      { type: 'span.model_request_end', id: 'e', is_error: true },
      { type: 'session.error', id: 'x', error: { type: 'overloaded' } },
      { type: 'agent.message', id: 'm', content: 'sorry' },
    ]);
    assert.deepEqual(shown(rows, 'errors'), ['tool', 'model', 'error']);
    assert.deepEqual(shown(rows, 'conversation'), ['tool', 'model', 'error', 'agent']);
  });
});
