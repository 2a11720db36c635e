import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { thisHolder } from '../../../../src/features/ledger/lockHolder';
import { someOf } from '../../../helpers/runs';
import { standsStill } from '../../../helpers/standsStill';
import { until } from '../../../helpers/until';
import { ids, recordOf, useLedger } from './ledgerOfTest';
import { useRegistryProcesses } from './registryProcesses';

/** Outcome of a window, and its number of disk operations. */
interface Said {
  readonly word: string;
  readonly steps: number;
}

const [theirs, ours] = ids;

// Other systems have no file that shows whether a process is suspended.
const describeOnLinux = process.platform === 'linux' ? describe : () => {};

/** Suspends a window at each of its disk operations. The window continues after another window has finished its work. */
describeOnLinux('features/ledger with a window that stands still', () => {
  const processes = useRegistryProcesses();
  const clock = { time: 0, now: () => Date.now(), monotonic: () => clock.time };
  // Children write to the folder, so they are killed before the folder is deleted.
  afterEach(processes.kill);
  const ledger = useLedger();

  const registry = () => ledger.open(() => {}, clock);

  /**
   * Starts a window that stops at a step. Resolves when the window has stopped or ended. A fast process may end before the step, because
   * it checks its locks less often than a slow one.
   */
  async function stopAt(
    mode: string,
    step: number,
    where: { readonly folder?: string; readonly id?: string } = {},
  ): Promise<{ readonly said: Promise<Said>; goOn(): void; readonly isStopped: boolean }> {
    const child = processes.start(where.folder ?? ledger.folder, where.id ?? theirs, mode, step, 'SIGSTOP');
    let ended = false;
    const said = once(child, 'message').then(([said]) => {
      ended = true;
      return said as Said;
    });
    await until(() => ended || standsStill(child.pid), 2);
    assert.ok(!ended || step === 0 || (await said).steps < step, `step ${step}`);
    return { said, goOn: () => child.kill('SIGCONT'), isStopped: !ended };
  }

  /** Returns steps at which to suspend a window. The nightly run tests all steps. */
  async function stepsOf(mode: string): Promise<readonly number[]> {
    let fewest = Number.POSITIVE_INFINITY;
    // A slow process takes more steps, so the smaller count is used.
    for (let counts = 0; counts < 2; counts++) {
      const { steps } = await (await stopAt(mode, 0)).said;
      fewest = Math.min(fewest, steps);
      forget();
    }
    return someOf(
      Array.from({ length: fewest }, (_, index) => index + 1),
      6,
    );
  }

  /** Kills the processes and deletes their files. */
  function forget(): void {
    processes.kill();
    rmSync(ledger.folder, { recursive: true, force: true });
  }

  /** Writes a dead process to the locks. To other windows, a holder without a heartbeat for five seconds looks dead too. */
  function passBy(where: string): void {
    if (existsSync(where)) {
      for (const name of readdirSync(where).filter(found => found.startsWith('submission.lock'))) {
        writeFileSync(path.join(where, name), JSON.stringify({ ...thisHolder(), pid: 99_999_999 }));
      }
    }
  }

  const submission = recordOf({ id: ours, state: 'sending', startedAt: new Date().toISOString() });

  it('starts conflicting submissions at most once, wherever a window was suspended @ci', async () => {
    const ends = new Map<string, number>();
    for (const step of await stepsOf('begin')) {
      const window = await stopAt('begin', step);
      if (!window.isStopped) {
        forget();
        continue;
      }
      passBy(ledger.folder);
      passBy(path.join(ledger.folder, theirs));
      const kept = registry();
      const begun = await kept.begin(submission, () => kept.all().find(({ id }) => id !== ours));
      window.goOn();
      const { word } = await window.said;
      const end = `${'conflict' in begun ? 'conflict' : 'sending'} here, ${word} there`;
      assert.notEqual(end, 'sending here, sending there', `stopped at step ${step}`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if ('release' in begun) {
        await begun.release();
      }
      forget();
    }
    assert.ok((ends.get('sending here, conflict there') ?? 0) > 3, JSON.stringify([...ends]));
    assert.ok((ends.get('conflict here, sending there') ?? 0) > 0, JSON.stringify([...ends]));
  });

  it('starts conflicting submissions at most once when two windows are suspended, the second after overtaking the first @nightly', async () => {
    const all = await stepsOf('begin');
    // Each pair of steps takes seconds, so only about seven steps are tested.
    const steps = all.filter((_, index) => index % Math.ceil(all.length / 7) === 0);
    const pairs = steps.flatMap(first => steps.map(second => [first, second] as const));
    const ends = new Map<string, string>();
    const next = async (place: string, own: typeof pairs): Promise<void> => {
      for (const [first, second] of own) {
        const one = await stopAt('begin', first, { folder: place });
        passBy(place);
        const other = await stopAt('begin', second, { folder: place, id: ours });
        one.goOn();
        // This window may wait for the lock of the suspended window.
        const words = [(await one.said).word];
        other.goOn();
        words.push((await other.said).word);
        ends.set(`stopped at steps ${first} and ${second}`, words.join(' and '));
        rmSync(place, { recursive: true, force: true });
      }
    };
    const some = someOf(pairs, 8);
    await Promise.all(
      [0, 1, 2, 3].map(lane =>
        next(
          `${ledger.folder}-${lane}`,
          some.filter((_, index) => index % 4 === lane),
        ),
      ),
    );
    assert.deepEqual(
      [...ends].filter(([, end]) => end === 'sending and sending'),
      [],
    );
  });

  it('never treats a silent window on another host as failed @nightly', async () => {
    const ends = new Map<string, number>();
    for (const step of await stepsOf('hand out')) {
      const window = await stopAt('hand out', step);
      if (!window.isStopped) {
        forget();
        continue;
      }
      const sending = path.join(ledger.folder, theirs, 'sending.lock');
      // Simulates a holder on another host, whose process id can't be checked.
      writeFileSync(sending, readFileSync(sending, 'utf8').replace(/"place":"/, '$&elsewhere '));
      passBy(path.join(ledger.folder, theirs));
      const kept = registry();
      await kept.load();
      clock.time += 21_000;
      await kept.reload();
      const state = kept.find(theirs)?.state ?? 'nothing';
      window.goOn();
      const end = `${state} here, ${(await window.said).word} there`;
      assert.ok(end.startsWith('unknown'), `stopped at step ${step}: ${end}`);
      ends.set(end, (ends.get(end) ?? 0) + 1);
      forget();
    }
    assert.ok((ends.get('unknown here, not sent there') ?? 0) > 3, JSON.stringify([...ends]));
  });

  it('keeps the submission of a suspended window on this host, however long it is suspended', async () => {
    const window = await stopAt('hand out', 4);
    assert.ok(window.isStopped);
    const kept = registry();
    await kept.load();
    clock.time += 3_600_000;
    await kept.reload();
    assert.equal(kept.find(theirs)?.state, 'sending');
    window.goOn();
    assert.equal((await window.said).word, 'sent');
  });
});
