// One run of the row `transcript` in its own process: transcriptChild COUNT BATCH. Prints one line of JSON. Takes the best of at least
// three rounds, because compilation is not measured.

import { exportJsonl } from '../../src/features/sessions/facts/sessionJsonl';
import { createSessionView } from '../../src/features/sessions/live/createSessionView';
import type { TranscriptEvent } from '../../src/shared/session/event';
import { Transcript } from '../../src/shared/session/transcript';
import { toLanes } from '../../src/webview/session/pictures/lanes';

const [count = 0, batch = 1] = process.argv.slice(2).map(Number);

function createEvents(): readonly TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  let now = Date.parse('2026-11-21T09:00:00.000Z');
  const add = (event: TranscriptEvent): string => {
    now += 17;
    const id = `sevt_${events.length}`;
    events.push({ ...event, id, processed_at: new Date(now).toISOString() });
    return id;
  };
  for (let turn = 0; events.length < count; turn++) {
    add({ type: 'user.message', content: [{ type: 'text', text: `Do step ${turn}, please` }] });
    add({ type: 'session.status_running' });
    const start = add({ type: 'span.model_request_start' });
    add({ type: 'agent.message', content: [{ type: 'text', text: `I will do **step ${turn}**.\n\nFirst this, then that.` }] });
    const call = add({ type: 'agent.tool_use', name: 'bash', input: { command: `echo ${turn}` }, evaluated_permission: 'allow' });
    add({ type: 'agent.tool_result', tool_use_id: call, content: [{ type: 'text', text: `${turn}\n` }] });
    add({
      type: 'span.model_request_end',
      model_request_start_id: start,
      is_error: false,
      model_usage: { input_tokens: 9, output_tokens: 5 },
    });
    add({ type: 'session.status_idle', stop_reason: { type: 'end_turn' } });
  }
  return events.slice(0, count);
}

/** Returns the duration of some work in milliseconds, and its result. */
function measure<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

function fill(events: readonly TranscriptEvent[]): Transcript {
  const transcript = new Transcript();
  for (let at = 0; at < events.length; at += batch) {
    transcript.append(events.slice(at, at + batch));
  }
  return transcript;
}

const lines = createEvents().map(event => JSON.stringify(event));
let ms = Number.POSITIVE_INFINITY;
let parseMs = Number.POSITIVE_INFINITY;
let transcript = new Transcript();
const rounds = Math.max(3, Math.round(100_000 / count));
for (let round = 0; round < rounds; round++) {
  const parsed = measure(() => lines.map(line => JSON.parse(line) as TranscriptEvent));
  const filled = measure(() => fill(parsed.result));
  parseMs = Math.min(parseMs, parsed.ms);
  ms = Math.min(ms, filled.ms);
  transcript = filled.result;
}
const view = measure(() => createSessionView({}, transcript.state()));
const search = measure(() => transcript.search('step 7'));
const { threads } = view.result;
const lanes = measure(() => toLanes(transcript.rows, threads));
const exported = measure(() => {
  let characters = 0;
  for (const line of exportJsonl({ exportedAt: '', source: '' }, [{ thread: '', events: transcript.events }])) {
    characters += line.length;
  }
  return characters;
});
console.log(
  JSON.stringify({
    ms,
    parseMs,
    viewMs: view.ms,
    searchMs: search.ms,
    lanesMs: lanes.ms,
    exportMs: exported.ms,
    heapMB: process.memoryUsage().heapUsed / 1e6,
  }),
);
