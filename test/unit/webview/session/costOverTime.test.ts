import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { OwnPrices } from '../../../../src/shared/session/sessionProtocol';
import { Transcript } from '../../../../src/shared/session/transcript';
import { type CostOverTime, toCostOverTime } from '../../../../src/webview/session/costOverTime';
import { runs } from '../../../helpers/runs';
import { eventLogs } from '../../shared/session/eventLogs';
import { recordedStream } from '../../shared/session/recordings';

const prices: OwnPrices = {
  currency: 'EUR',
  models: [
    ['small', { input: 1, output: 10 }],
    ['large', { input: 5, output: 50, cacheRead: 0.5, cacheWrite: 6 }],
  ],
};

function costsOf(events: readonly TranscriptEvent[], options: Partial<Parameters<typeof toCostOverTime>[1]> = {}): CostOverTime {
  const transcript = new Transcript();
  transcript.append(events);
  return toCostOverTime(transcript.rows, { prices, agentModel: 'small', ...options });
}

const flat = { input_tokens: 1000, output_tokens: 100 };
const request = (id: string, usage: object = flat, more: object = {}): readonly TranscriptEvent[] => [
  { type: 'span.model_request_start', id: `${id}s`, ...more },
  { type: 'span.model_request_end', id, model_request_start_id: `${id}s`, model_usage: usage, ...more },
];
const told = (id: string, amount: string): TranscriptEvent => ({
  ...{ type: 'session.usage', id, usage: { list_cost: { amount, currency: 'USD' } } },
});
const ownOf = ({ points }: CostOverTime) =>
  points.flatMap(({ request: one }) => (one === undefined ? [] : [one.cost === undefined ? 'unknown' : Math.round(one.cost * 1e6)]));

describe('webview/session/costOverTime', () => {
  it('shows reported and priced costs, each at its time', () => {
    const costs = costsOf([...request('a'), told('u', '125'), ...request('b')]);
    assert.deepEqual(
      costs.points.map(({ seq, reported: sum, request: one, ownSum }) => [
        seq,
        sum?.cents,
        one?.models,
        ownSum && Math.round(ownSum * 1e6),
      ]),
      [
        [1, undefined, ['small'], 2000],
        [2, 125, undefined, 2000],
        [4, 125, ['small'], 4000],
      ],
    );
    assert.deepEqual([costs.unknown, costs.unpriced], [0, []]);
  });

  it('reports a model without a price, by name', () => {
    const costs = costsOf([...request('a'), ...request('b', flat, { model: 'huge' })]);
    assert.deepEqual(ownOf(costs), [2000, 'unknown']);
    assert.deepEqual([costs.unknown, costs.unpriced], [1, ['huge']]);
    assert.deepEqual(ownOf(costsOf(request('a'), { prices: undefined })), ['unknown']);
    assert.deepEqual(ownOf(costsOf(request('a'), { agentModel: undefined })), ['unknown']);
  });

  it('leaves cache use unknown without a price, and uncounted tokens too', () => {
    assert.deepEqual(ownOf(costsOf(request('a', { ...flat, cache_read_input_tokens: 5 }))), ['unknown']);
    assert.deepEqual(ownOf(costsOf(request('a', { ...flat, cache_read_input_tokens: 0 }))), [2000]);
    assert.deepEqual(ownOf(costsOf(request('a', { input_tokens: 5 }))), ['unknown']);
    const cached = { ...flat, cache_read_input_tokens: 2000, cache_creation_input_tokens: 1000 };
    assert.deepEqual(ownOf(costsOf(request('a', cached), { agentModel: 'large' })), [5000 + 5000 + 1000 + 6000]);
  });

  it('prices each model of a request separately', () => {
    const usage = { small: { inputTokens: 1000, outputTokens: 0 }, large: { inputTokens: 1000, outputTokens: 0 } };
    assert.deepEqual(ownOf(costsOf(request('a', usage))), [6000]);
    assert.deepEqual(ownOf(costsOf(request('a', { ...usage, __other: { inputTokens: 1, outputTokens: 1 } }))), ['unknown']);
    const beside = { usage: { input_tokens: 2000, output_tokens: 0, cache_read_input_tokens: 9 } };
    assert.deepEqual(ownOf(costsOf(request('a', usage, beside))), ['unknown']);
  });

  it("uses the agent's model only after the session got the agent, and for no other thread", () => {
    const change: TranscriptEvent = { type: 'session.updated', id: 'c', agent: { id: 'agent_1', model: 'small' } };
    assert.deepEqual(ownOf(costsOf([...request('a'), change, ...request('b')])), ['unknown', 2000]);
    assert.deepEqual(ownOf(costsOf(request('a', flat, { session_thread_id: 'thread_9' }))), ['unknown']);
  });

  it('reads a recorded session whose server counts by model', () => {
    const costs = costsOf(recordedStream('125-stream-tool-confirm.sse'));
    assert.equal(costs.points.filter(({ request }) => request !== undefined).length, 5);
  });

  it('never decreases, never invents cost, and counts each request once', () => {
    fc.assert(
      fc.property(eventLogs, fc.boolean(), (events, hasPrices) => {
        const costs = costsOf(events, hasPrices ? {} : { prices: { currency: 'EUR', models: [] } });
        const requests = costs.points.flatMap(({ request: one }) => one ?? []);
        assert.equal(requests.filter(({ cost }) => cost === undefined).length, costs.unknown);
        const sum = requests.reduce((all, { cost = 0 }) => all + cost, 0);
        assert.ok(Math.abs((costs.points.at(-1)?.ownSum ?? 0) - sum) < 1e-9);
        assert.ok(hasPrices || costs.points.every(({ ownSum }) => ownSum === undefined));
        assert.ok(
          costs.points.every(({ seq, ownSum = 0 }, place) => {
            const before = costs.points[place - 1];
            return before === undefined || (before.seq <= seq && (before.ownSum ?? 0) <= ownSum);
          }),
        );
      }),
      { numRuns: runs(500) },
    );
  });
});
