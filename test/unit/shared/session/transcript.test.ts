import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { Row, RowSplice, ToolRow } from '../../../../src/shared/session/rows';
import { Transcript } from '../../../../src/shared/session/transcript';
import { recordedStream, withoutPreviews } from './recordings';

/** A list that splices are applied to, as a panel does. */
function applySplices(rows: Row[], splices: readonly RowSplice[]): void {
  for (const { at, remove, rows: added } of splices) {
    rows.splice(at, remove, ...added);
  }
}

function rowsOf(events: readonly TranscriptEvent[]): readonly Row[] {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

function toolsOf(rows: readonly Row[]): readonly ToolRow[] {
  return rows.filter(row => row.kind === 'tool');
}

const message = (id: string, text: string, more: object = {}): TranscriptEvent => ({
  type: 'user.message',
  id,
  content: [{ type: 'text', text }],
  processed_at: '2026-11-21T09:00:00.000Z',
  ...more,
});

describe('shared/session/transcript', () => {
  it('shows one row for each call of a recorded stream that tells calls twice', () => {
    const tools = toolsOf(rowsOf(recordedStream('125-stream-tool-confirm.sse')));
    assert.deepEqual(
      tools.map(({ name, state, askId, confirmation }) => ({ name, state, askId, answer: confirmation?.result })),
      [
        { name: 'Bash', state: 'done', askId: 'sevt_6383d8a14231bf1df97d4e11189bbc4f', answer: 'allow' },
        { name: 'Bash', state: 'denied', askId: 'sevt_bbeb8488346359acd4fa2c7cc53540da', answer: 'deny' },
        { name: 'get_weather', state: 'done', askId: 'sevt_customf09363c6d8a6', answer: undefined },
      ],
    );
  });

  it('gives the same rows and splices that lead to them, however a log is cut into batches', () => {
    const events = withoutPreviews(recordedStream('125-stream-tool-confirm.sse'));
    const whole = rowsOf(events);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7 })), sizes => {
        const transcript = new Transcript();
        const shown: Row[] = [];
        let start = 0;
        for (const size of [...sizes, events.length]) {
          applySplices(shown, transcript.append(events.slice(start, start + size)));
          assert.deepEqual(shown, transcript.rows);
          start += size;
        }
        assert.deepEqual(transcript.rows, whole);
      }),
    );
  });

  it('never shows own words twice, whether the log or the answer comes first', () => {
    const sent = { type: 'user.message', content: [{ type: 'text', text: 'hello' }] };
    for (const order of ['log first', 'answer first']) {
      const transcript = new Transcript();
      const shown: Row[] = [];
      applySplices(shown, transcript.addOwn({ clientId: 'a', events: [sent] }));
      assert.deepEqual(
        shown.map(row => row.kind === 'user' && row.delivery),
        ['sending'],
      );
      const log = () => transcript.append([message('e1', 'hello', { processed_at: null })]);
      const answer = () => transcript.ownStored({ clientId: 'a', events: [message('e1', 'hello', { processed_at: null })] });
      for (const step of order === 'log first' ? [log, answer] : [answer, log]) {
        applySplices(shown, step());
        assert.deepEqual(
          shown.map(row => row.kind === 'user' && [row.key, row.delivery]),
          [['e1', 'queued']],
        );
      }
      applySplices(shown, transcript.change([message('e1', 'hello')]));
      assert.deepEqual(
        shown.map(row => row.kind === 'user' && row.delivery),
        ['delivered'],
      );
    }
  });
});
