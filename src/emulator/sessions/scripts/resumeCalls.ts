import type { Line } from '../line';
import type { OpenCall } from '../sessionRecord';
import type { MadeCall } from '../toolCalls';

/** What follows the answers to calls that were open when the emulator was stopped: their results, and a word at the end. */
export async function resumeCalls(main: Line, calls: readonly OpenCall[]): Promise<void> {
  const made = calls.map((call): MadeCall => {
    const { eventId, kind, name, result, isError } = call;
    return { eventId, kind, name, result, isError, permission: call.waitsFor === 'permission' ? 'ask' : 'allow' };
  });
  const { turn } = main;
  for (const threadId of new Set(calls.map(call => call.threadId))) {
    const line = threadId === main.thread.id ? main : turn.line(threadId);
    const own = made.filter((_, at) => calls[at]?.threadId === threadId);
    line.adopt(own);
    await line.finish(own);
  }
  turn.wake(main);
  await main.request(() => main.say('The emulator was started again in between. The call has its result; tell me how to go on.'));
}
