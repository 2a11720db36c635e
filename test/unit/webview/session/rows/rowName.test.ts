import assert from 'node:assert/strict';
import { knownEventTypes } from '../../../../../src/shared/session/rows/eventRows';
import type { Row } from '../../../../../src/shared/session/rows/rows';
import { rowMatches } from '../../../../../src/shared/session/rows/rowText';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { translate } from '../../../../../src/shared/session/translateText';
import { rowName } from '../../../../../src/webview/session/rows/rowName';
import { everyRow, messageRow, toolRow } from '../../../../webview/panelFixtures';

const nameOf = (row: Row): string => rowName(row, (text, ...args) => translate(undefined, text, args));
const base = { key: 'k', type: 't', seq: 0, at: 0, summary: '' } as const;

describe('webview/session/rows/rowName', () => {
  it('names the speaker, the kind, the status, and the text', () => {
    const cases: readonly (readonly [Row, string])[] = [
      [messageRow(0, 'Hello', { kind: 'user', delivery: 'queued' }), 'You, queued: Hello'],
      [messageRow(0, 'Hello', { kind: 'user', delivery: 'failed' }), 'You, not sent: Hello'],
      [messageRow(0, 'Hi', { preview: true }), 'Agent, writing…: Hi'],
      [messageRow(0, 'Hi', { kind: 'system' }), 'System: Hi'],
      [toolRow(0), 'Tool bash, done: ls -la'],
      [toolRow(0, { tool: 'mcp', server: 'tracker', name: 'issues', state: 'failed' }), 'MCP tool tracker / issues, failed: ls -la'],
      [toolRow(0, { tool: 'custom', state: 'waiting', input: { type: 'json', text: '{}' } }), 'Custom tool bash, needs a result'],
      [
        { ...base, kind: 'status', summary: 'idle requires_action', status: 'idle', stopReason: 'requires_action' },
        'Status: Paused for your answer',
      ],
      [{ ...base, kind: 'error', errorType: 'overloaded_error', message: 'Too busy.' }, 'Error: Too busy.'],
      [{ ...base, kind: 'error', errorType: 'overloaded_error', message: '' }, 'Error: overloaded_error'],
      [{ ...base, kind: 'model', summary: 'model-small', isError: false }, 'Model request is running: model-small'],
      [{ ...base, kind: 'thread', step: 'created', otherThread: 't2', agentName: 'Checker', parts: [] }, 'Started Checker'],
      [
        { ...base, kind: 'unknown', type: 'agent.dreamt', summary: 'x', json: { type: 'json', text: '' } },
        'Event of an unknown type: agent.dreamt',
      ],
      [{ ...base, kind: 'gap', problem: '503' }, 'Events may be missing here: 503'],
    ];
    assert.deepEqual(
      cases.map(([row]) => nameOf(row)),
      cases.map(([, name]) => name),
    );
  });

  it('has words for every known change of state', () => {
    const transcript = new Transcript();
    transcript.append(knownEventTypes.map(type => ({ type, id: type })));
    const changes = transcript.rows.filter(row => row.kind === 'status');
    assert.ok(changes.some(({ type }) => type === 'user.interrupt'));
    assert.deepEqual(
      changes.filter(row => nameOf(row) === `Status: ${row.status}`).map(({ type }) => type),
      [],
    );
  });

  it('is one line without hidden characters, never empty, and translated if the panel has words', () => {
    for (const row of everyRow()) {
      assert.match(nameOf(row), /^\P{C}{2,300}$/u);
      assert.doesNotMatch(nameOf(row), /requires_action|status_|span\.|\{ ?"/);
    }
    assert.equal(nameOf({ ...base, kind: 'gap', problem: 'a\u202eb\nc' }), 'Events may be missing here: a\\u{202e}b\\u{a}c');
  });

  it('names the agent of a delegation once', () => {
    const transcript = new Transcript();
    transcript.append([
      { type: 'session.thread_created', session_thread_id: 't2', agent_name: 'Checker' },
      { type: 'agent.thread_message_sent', to_session_thread_id: 't2', to_agent_name: 'Checker', content: 'Check it' },
      { type: 'agent.thread_message_received', from_session_thread_id: 't2', from_agent_name: 'Checker', content: 'It is fine' },
    ]);
    assert.deepEqual(transcript.rows.map(nameOf), ['Started Checker', 'Message to Checker: Check it', 'Message from Checker: It is fine']);
    assert.ok(transcript.rows.every(row => rowMatches(row, /checker/i)));
  });

  it('starts with the thread of a row from another one', () => {
    const row = { ...toolRow(0), thread: 't1' };
    assert.equal(
      rowName(row, (text, ...args) => translate(undefined, text, args), 'Checker 2'),
      'Thread Checker 2, Tool bash, done: ls -la',
    );
  });
});
