import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { type RequestContext, toRequestContext } from '../../../../../src/shared/session/facts/requestContext';
import type { ModelRow } from '../../../../../src/shared/session/rows/rows';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { runs } from '../../../../helpers/runs';
import { eventLogs } from '../eventLogs';

function contextsOf(events: readonly TranscriptEvent[]): readonly RequestContext[] {
  const transcript = new Transcript();
  transcript.append(events);
  const rows = [...transcript.rows];
  return rows.filter((row): row is ModelRow => row.kind === 'model').map(row => toRequestContext(rows, row));
}

const text = (type: string, id: string): TranscriptEvent => ({ type, id, content: [{ type: 'text', text: id }] });
const start = (id: string): TranscriptEvent => ({ type: 'span.model_request_start', id });
const end = (id: string): TranscriptEvent => ({
  type: 'span.model_request_end',
  id: `${id}e`,
  model_request_start_id: id,
  is_error: false,
});
const call = (id: string): TranscriptEvent => ({ type: 'agent.tool_use', id, name: 'bash', input: {} });
const result = (id: string): TranscriptEvent => ({ type: 'agent.tool_result', id: `${id}r`, tool_use_id: id, content: [] });
const keysOf = (contexts: readonly RequestContext[]) => contexts.map(({ entries }) => entries.map(({ row }) => row.key));

describe('shared/session/facts/requestContext', () => {
  it('tells what came since the request before: messages, and tools when they had a result', () => {
    const contexts = contextsOf([
      ...[text('user.message', 'u'), start('m1'), call('c1'), call('c2'), end('m1'), result('c1')],
      ...[start('m2'), text('agent.message', 'a'), end('m2'), result('c2'), start('m3'), end('m3')],
    ]);
    assert.deepEqual(keysOf(contexts), [['u'], ['c1'], ['a', 'c2']]);
    assert.deepEqual(
      contexts.map(({ before }) => before?.key),
      [undefined, 'm1', 'm2'],
    );
  });

  it('leaves out what is of another thread', () => {
    const other = { session_thread_id: 'thread_9' };
    const contexts = contextsOf([
      ...[text('user.message', 'u'), { ...call('c1'), ...other }, { ...result('c1'), ...other }, start('m1'), end('m1')],
    ]);
    assert.deepEqual(keysOf(contexts), [['u']]);
  });

  it('gives each thing to one request at most, in order', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const all = contextsOf(events);
        const given = all.flatMap(({ entries }) => entries.map(({ row, seq }) => `${row.key} ${seq}`));
        assert.equal(new Set(given).size, given.length);
        assert.ok(all.every(({ entries }) => entries.every(({ seq }, place) => seq >= (entries[place - 1]?.seq ?? 0))));
      }),
      { numRuns: runs(500) },
    );
  });
});
