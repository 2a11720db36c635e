import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionEvent } from '../../../../src/client/events/eventLog';
import { watchEvents } from '../../../../src/client/events/eventStream';
import { runs } from '../../../helpers/runs';
import { FakeEventLog, type FakeService, serviceError, Transcript } from '../fakeEventLog';

/** Action on a watched log, such as a write, a wait or a cut. */
type Action =
  | { readonly do: 'write'; readonly count: number }
  | { readonly do: 'wait'; readonly count: number }
  | { readonly do: 'process'; readonly place: number }
  | { readonly do: 'cut'; readonly kept: number; readonly broken: boolean }
  | { readonly do: 'repeat'; readonly back: number }
  | { readonly do: 'fail'; readonly times: number }
  | { readonly do: 'refuse'; readonly times: number };

const small = fc.nat({ max: 6 });
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), count: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), count: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('process' as const), place: fc.nat({ max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('cut' as const), kept: small, broken: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), back: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), times: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), times: fc.nat({ max: 3 }) }) },
);
const services: fc.Arbitrary<FakeService> = fc.record({
  order: fc.constantFrom('heeds', 'newestFirst', 'oldestFirst'),
  pageSize: fc.constantFrom(2, 3, 10, 1000),
  maxLimit: fc.constantFrom(100, 1000),
  pagesByOffset: fc.boolean(),
});

describe('client/events/eventStream in any conditions', () => {
  it('yields exactly the events of the log, in order, with their latest bodies', async () => {
    await fc.assert(
      fc.asyncProperty(
        services,
        fc.nat({ max: 30 }),
        fc.array(actions, { maxLength: 14 }),
        fc.scheduler(),
        async (service, stored, script, scheduler) => {
          const log = new FakeEventLog(service, label => scheduler.schedule(Promise.resolve(), label));
          let count = 0;
          const event = (waits: boolean): SessionEvent => ({
            type: waits ? 'user.message' : 'agent.message',
            id: `e${++count}`,
            // Only increasing times show the client that a service always lists the newest events first.
            created_at: new Date(count * (service.order === 'newestFirst' ? 1000 : 400)).toISOString().replace(/\.\d+/, ''),
            processed_at: waits ? null : 'now',
          });
          log.write(...Array.from({ length: stored }, () => event(false)));
          const abort = new AbortController();
          let now = 0;
          const watch = watchEvents(log, {
            signal: abort.signal,
            random: () => 0.5,
            clock: {
              now: () => now,
              sleep: async (milliseconds, signal) => {
                await scheduler.schedule(Promise.resolve(), `sleep ${milliseconds}`);
                signal.throwIfAborted();
                now += milliseconds;
              },
            },
          });
          const transcript = new Transcript();
          const following = (async () => {
            for await (const update of watch) {
              transcript.apply(update);
              await scheduler.schedule(Promise.resolve(), 'consumed');
            }
          })();
          let failure: unknown;
          following.catch(error => {
            failure = error;
          });
          const run = (action: Action) => {
            switch (action.do) {
              case 'write':
                log.write(...Array.from({ length: action.count }, () => event(false)));
                break;
              case 'wait':
                log.write(...Array.from({ length: action.count }, () => event(true)));
                break;
              case 'process':
                log.process(action.place);
                break;
              case 'cut':
                log.cut(action.kept, action.broken ? new Error('cut') : undefined);
                break;
              case 'repeat':
                log.repeat(action.back);
                break;
              case 'fail':
                log.listFailures += action.times;
                break;
              case 'refuse':
                log.attachFailures.push(
                  ...Array.from({ length: action.times }, (_, index) => (index % 2 === 0 ? serviceError(503) : new Error('no connection'))),
                );
                break;
            }
          };
          const { task } = scheduler.scheduleSequence(script.map(action => ({ label: action.do, builder: async () => run(action) })));
          await scheduler.waitFor(task);
          const settled = () => new Promise(resolve => setImmediate(resolve));
          for (await settled(); scheduler.count() > 0; await settled()) {
            await scheduler.waitOne();
          }
          assert.equal(failure, undefined);
          assert.equal(transcript.state?.name, 'live');
          assert.deepEqual(
            transcript.line,
            log.events.map(({ id }) => id),
          );
          assert.deepEqual(transcript.events, log.events);
          abort.abort();
          await scheduler.waitFor(following);
          assert.equal(log.streams, 0);
        },
      ),
      { numRuns: runs(10_000, 500) },
    );
  });
});
