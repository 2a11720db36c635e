import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StreamBackoff } from '../../../../src/client/events/streamBackoff';

describe('client/events/streamBackoff', () => {
  it('never makes more than 8 attempts in 20 s, nor one before it was asked to', () => {
    const connection = fc.record({ lasts: fc.nat({ max: 3000 }), delivered: fc.boolean(), asked: fc.nat({ max: 5000 }) });
    fc.assert(
      fc.property(fc.array(connection, { maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (connections, chance) => {
        let now = 0;
        const backoff = new StreamBackoff(
          () => now,
          () => chance,
        );
        const begun: number[] = [];
        for (const { lasts, delivered, asked } of connections) {
          backoff.start();
          begun.push(now);
          now += lasts;
          backoff.ended(delivered);
          const wait = backoff.wait(asked);
          assert.ok(wait >= asked && wait <= Math.max(30_000, asked));
          now += wait;
        }
        begun.forEach((time, index) => {
          assert.ok(time - (begun[index - 8] ?? Number.NEGATIVE_INFINITY) >= 20_000);
        });
      }),
    );
  });

  it('resets after a connection that delivered, or that was open for long', () => {
    let now = 0;
    const backoff = new StreamBackoff(
      () => now,
      () => 1,
    );
    const next = (lasts: number, delivered: boolean) => {
      backoff.start();
      now += lasts;
      backoff.ended(delivered);
      return backoff.wait();
    };
    assert.deepEqual(
      [next(10, false), next(10, false), next(10, true), next(10, false), next(30_000, false)],
      [1000, 2000, 500, 1000, 500],
    );
  });
});
