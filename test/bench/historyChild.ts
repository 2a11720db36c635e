// One run of the row `history` in a process of its own: historyChild COUNT, one line of JSON.

import type { EventLog } from '../../src/client/events/eventLog';
import { watchEvents } from '../../src/client/events/eventStream';
import { realTimers } from '../../src/common/lists/poller';
import { startEmulator } from '../../src/emulator/server';
import { readWholeLog } from '../../src/features/sessions/facts/wholeLog';
import { ThreadLog } from '../../src/features/sessions/live/threadLog';
import { contractClient, SessionOnEmulator } from '../helpers/emulatorClient';

/** Opens a log as a panel does. Returns the milliseconds to its newest rows and to all of them. */
async function open(
  log: EventLog,
  newestId: string,
): Promise<{ readonly newestMs: number; readonly wholeMs: number; readonly shown: number }> {
  const begin = performance.now();
  let newestMs = Number.POSITIVE_INFINITY;
  let tellWhole = (_: number) => {};
  const whole = new Promise<number>(resolve => {
    tellWhole = resolve;
  });
  const thread = new ThreadLog({
    thread: '',
    log,
    watch: watchEvents,
    timers: realTimers,
    previews: () => undefined,
    onRows: () => {
      if (thread.transcript.eventOf(newestId) !== undefined) {
        newestMs = Math.min(newestMs, performance.now() - begin);
      }
    },
    onText: () => undefined,
    onState: ({ name }) => {
      if (name === 'live') {
        tellWhole(performance.now() - begin);
      }
    },
    onEvents: () => undefined,
  });
  thread.start();
  const wholeMs = await whole;
  thread.stop();
  return { newestMs, wholeMs, shown: thread.transcript.events.length };
}

async function run(count: number): Promise<void> {
  const key = 'local-bench-key-0001';
  const emulator = await startEmulator({ key, scenario: { sessionPause: 0 } });
  const client = contractClient(emulator);
  const say = async (words: string) => {
    const session = await SessionOnEmulator.start(emulator, 'Researcher');
    await session.say(words);
    while ((await session.retrieve()).status === 'running') {
      await emulator.advanceClock(1000);
    }
    return client.sessions.events(session.id);
  };
  const measure = async (log: EventLog) => {
    const [newest] = (await log.list({ limit: 1, order: 'desc' })).items;
    return await open(log, String(newest?.id));
  };
  // Loads and compiles the code before the measurement. A user opens a panel from a list, which has done the same.
  await measure(await say('storm 0 2000'));
  const log = await say(`storm 0 ${count}`);
  const { newestMs, wholeMs, shown } = await measure(log);
  const from = performance.now();
  const { length } = await readWholeLog(log, new AbortController().signal, () => undefined);
  const fromOldestMs = performance.now() - from;
  if (shown !== length || length < count) {
    throw new Error(`${shown} of ${length} events are shown`);
  }
  await client.close();
  await emulator.stop();
  console.log(JSON.stringify({ newestMs, wholeMs, fromOldestMs }));
}

await run(Number(process.argv[2]));
