import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../../src/shared/session/event';
import { toTokensOverTime } from '../../../../../src/shared/session/facts/tokensOverTime';
import { Transcript } from '../../../../../src/shared/session/transcript';
import { eventLogs } from '../eventLogs';
import { recordedStream } from '../recordings';

function rowsOf(events: readonly TranscriptEvent[]) {
  const transcript = new Transcript();
  transcript.append(events);
  return transcript.rows;
}

const span = (id: string, input: number) => ({ type: 'span.model_request_end', id, model_usage: { input_tokens: input } });
const usage = (id: string, input: number) => ({ type: 'session.usage', id, usage: { input_tokens: input } });

describe('shared/session/facts/tokensOverTime', () => {
  it("sums requests, or uses the service's sums if they are higher", () => {
    const points = toTokensOverTime(rowsOf([span('a', 10), usage('u', 30), span('b', 5), usage('v', 34), span('c', 1)]));
    assert.deepEqual(
      points.map(({ key, seq, tokens }) => [key, seq, tokens.input, tokens.output]),
      [
        ['a', 0, 10, undefined],
        ['u', 1, 30, undefined],
        ['b', 2, 35, undefined],
        ['v', 3, 35, undefined],
        ['c', 4, 36, undefined],
      ],
    );
  });

  it('ends with the sum of a recorded session', () => {
    const points = toTokensOverTime(rowsOf(recordedStream('125-stream-tool-confirm.sse')));
    assert.deepEqual(points.at(-1)?.tokens, { input: 60, output: 170, cacheRead: 0, cacheWrite: 0 });
    assert.equal(points.length, 5);
  });

  it('never decreases', () => {
    fc.assert(
      fc.property(eventLogs, events => {
        const points = toTokensOverTime(rowsOf(events));
        points.forEach(({ seq, tokens }, place) => {
          const before = points[place - 1];
          assert.ok(before === undefined || (before.seq <= seq && (before.tokens.input ?? 0) <= (tokens.input ?? 0)));
        });
      }),
    );
  });
});
