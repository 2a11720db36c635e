import type { Line } from '../line';
import type { OpenCall } from '../sessionRecord';
import type { StoredCall } from '../toolCalls';

/** Handles the answers to calls that were pending when the emulator was stopped: their results, and a message at the end. */
export async function resumeCalls(main: Line, calls: readonly OpenCall[]): Promise<void> {
  const threads = [...new Set(calls.map(call => call.threadId))];
  let runningCount = threads.length;
  await Promise.all(
    threads.map(async threadId => {
      const line = threadId === main.thread.id ? main : main.turn.line(threadId);
      const pending = calls.filter(call => call.threadId === threadId).map(toStoredCall);
      line.calls.adopt(pending);
      await line.calls.finish(pending);
      runningCount--;
      if (runningCount === 0) {
        main.turn.wake(main);
      }
      if (line !== main) {
        main.turn.rest(line, { type: 'end_turn' });
      }
    }),
  );
  main.session.closeOutcome('interrupted', 'The emulator was stopped before it was judged.');
  await main.reply('The emulator was started again in between. The call has its result; tell me how to go on.');
}

function toStoredCall({ threadId: _, waitsFor, ...call }: OpenCall): StoredCall {
  return { ...call, permission: waitsFor === 'permission' ? 'ask' : 'allow' };
}
