import { endLane } from './laneEnd';
import { type MochaFile, runMochaFile, toReason } from './mochaFile';

/** What a `Lane` asks of its process: to run a file in some environment, or to end. */
type LaneOrder = ({ readonly kind: 'run'; readonly name: string; readonly env: NodeJS.ProcessEnv } & MochaFile) | { readonly kind: 'end' };

/** The process of a `Lane`: runs built test files one after another, and tells the runner of every line and every test. */
function say(name: string, ...args: unknown[]): void {
  process.send?.({ name, args });
}

async function run({ name, env, ...file }: Extract<LaneOrder, { kind: 'run' }>): Promise<void> {
  Object.assign(process.env, env);
  say('file', name);
  try {
    await runMochaFile(file, {
      print: line => say('print', line),
      passed: () => say('passed'),
      failed: why => say('failed', why),
    });
  } catch (error) {
    say('failed', `it could not be loaded: ${toReason(error)}`);
    say('print', error instanceof Error ? error.stack : String(error));
  }
  say('end');
}

process.on('message', (order: LaneOrder) => {
  if (order.kind === 'run') {
    void run(order);
  } else {
    void endLane().finally(() => process.exit(0));
  }
});
// Without the runner nobody waits for anything here.
process.once('disconnect', () => process.exit(1));
say('ready');
