import { format, stripVTControlCharacters } from 'node:util';
import { type Tier, toTierPattern } from './tiers';

/** What becomes of the tests of one file, as it happens. */
export interface MochaListener {
  /** A line for people. */
  print(line: string): void;
  passed(): void;
  /** A test or a hook failed, or a test is pending: nothing here is skipped. `why` is one line. */
  failed(why: string): void;
}

export interface MochaFile {
  /** The built file. */
  readonly file: string;
  /** Runs only tests whose name holds it; '' runs all. */
  readonly grep: string;
  /** Whether every test is printed with its time, or only what failed. */
  readonly listsTests: boolean;
}

/** Milliseconds for one test: an end for what hangs, never a measure of the machine. */
const timeout = 360_000;

/** Runs one built test file with a mocha of its own, and settles when all of it ran. Rejects when the file cannot be loaded. */
export async function runMochaFile({ file, grep, listsTests }: MochaFile, listener: MochaListener): Promise<void> {
  // Only now: inside an extension host mocha has to find the console that was put there for it.
  const { default: Mocha } = await import('mocha');
  const { Base } = Mocha.reporters;
  Base.consoleLog = (...args: unknown[]) => listener.print(format(...args));
  const mocha = new Mocha({ ui: 'bdd', reporter: class {} as never, color: true, timeout });
  if (grep !== '') {
    mocha.grep(grep);
  } else if (process.env.TEST_TIER !== undefined) {
    mocha.grep(toTierPattern(process.env.TEST_TIER as Tier));
  }
  mocha.addFile(file);
  await mocha.loadFilesAsync();
  const failures: Mocha.Test[] = [];
  await new Promise<void>(resolve => {
    const run = mocha.run(() => resolve());
    run.on('pass', test => {
      listener.passed();
      if (listsTests) {
        listener.print(`  ${Base.symbols.ok} ${test.fullTitle()} ${Base.color('fast', `(${test.duration} ms)`)}`);
      }
    });
    run.on('fail', (test, error) => {
      failures.push(Object.assign(test, { err: error }));
      listener.failed(`${test.fullTitle()}: ${toReason(error)}`);
      listener.print(Base.color('fail', `  ${failures.length}) ${test.fullTitle()}`));
    });
    run.on('pending', test => listener.failed(`${test.fullTitle()}: pending`));
  });
  if (failures.length > 0) {
    Base.list(failures);
  }
  // It listens for what nobody caught, and would throw what a file after this one lets go.
  mocha.dispose();
}

/** In one line what an error says, what was waited for, and where in the test. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error).split('\n')[0] ?? '';
  }
  const [sentence = '', ...rest] = stripVTControlCharacters(error.message).split('\n');
  // An assertion names what it compared below a line that ends so.
  const first = sentence.endsWith(':') ? [sentence, ...rest].join(' ').replace(/\s+/g, ' ').trim().slice(0, 300) : sentence;
  const awaited = rest.map(line => /waiting for .*/.exec(line)?.[0]).find(words => words !== undefined);
  const place = /[\w.-]+\.test\.ts:\d+/.exec(error.stack ?? '')?.[0];
  return [first, awaited, place && `at ${place}`].filter(part => part !== undefined).join(', ');
}
