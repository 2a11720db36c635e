import assert from 'node:assert/strict';
import { EmulatorThread, type RunningEmulator, type Thread } from '../../../../src/features/emulator/emulatorThread';

/** Thread that a test can start, stop and crash. */
class FakeThread implements Thread {
  readonly calls: string[] = [];
  start: (running: RunningEmulator) => void = () => undefined;
  failToStart: (error: Error) => void = () => undefined;
  end: (error?: Error) => void = () => undefined;
  readonly started = new Promise<RunningEmulator>((resolve, reject) => {
    this.start = resolve;
    this.failToStart = reject;
  });
  readonly ended = new Promise<Error | undefined>(resolve => {
    this.end = resolve;
  });

  async stop(): Promise<void> {
    this.calls.push('stop');
    this.end();
  }

  kill(): void {
    this.calls.push('kill');
  }
}

function createHost() {
  const threads: FakeThread[] = [];
  const host = new EmulatorThread(async () => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread;
  });
  /** Starts the emulator and waits until it runs. */
  const start = async (url = 'http://127.0.0.1:1', isOther?: boolean) => {
    const starting = host.start();
    await new Promise(setImmediate);
    threads.at(-1)?.start({ url, key: 'k', ...(isOther && { isOther }) });
    return starting;
  };
  return { host, threads, start };
}

describe('features/emulator/emulatorThread', () => {
  it('starts one thread for several requests', async () => {
    const { host, threads, start } = createHost();
    const first = host.start();
    assert.equal(host.isStarting, true);
    await start();
    await first;
    assert.deepEqual(await host.start(), { url: 'http://127.0.0.1:1', key: 'k' });
    assert.equal(threads.length, 1);
    assert.equal(host.isStarting, false);
    assert.equal(host.running?.url, 'http://127.0.0.1:1');
  });

  it('can be started again after a failed start', async () => {
    const { host, threads, start } = createHost();
    const failing = host.start();
    await new Promise(setImmediate);
    threads[0]?.failToStart(new Error('no port'));
    await assert.rejects(failing, /no port/);
    assert.equal(host.isStarting, false);
    await start();
    assert.equal(host.running?.key, 'k');
  });

  it("starts in place of another window's emulator that ended", async () => {
    const { host, threads, start } = createHost();
    const seen: (string | undefined)[] = [];
    const crashes: string[] = [];
    host.onDidChange(() => seen.push(host.isStarting ? 'starting' : host.running?.url));
    host.onDidCrash(error => crashes.push(error.message));
    await start('http://127.0.0.1:1', true);
    threads[0]?.end();
    await new Promise(setImmediate);
    await start('http://127.0.0.1:2');
    assert.deepEqual(seen, ['starting', 'http://127.0.0.1:1', 'starting', 'http://127.0.0.1:2']);
    await host.stop();
    await start('http://127.0.0.1:3', true);
    threads[2]?.end();
    await new Promise(setImmediate);
    threads[3]?.failToStart(new Error('no port'));
    await new Promise(setImmediate);
    assert.deepEqual(crashes, ['no port']);
  });

  it("uses another window's emulator that took over the folder", async () => {
    const { host, threads, start } = createHost();
    const crashes: string[] = [];
    host.onDidCrash(error => crashes.push(error.message));
    await start('http://127.0.0.1:1');
    threads[0]?.end();
    await new Promise(setImmediate);
    await start('http://127.0.0.1:2', true);
    assert.deepEqual([host.running?.url, threads.length, crashes], ['http://127.0.0.1:2', 2, []]);
  });

  it('reports a crash once, and can be started again', async () => {
    const { host, threads, start } = createHost();
    const crashes: string[] = [];
    host.onDidCrash(error => crashes.push(error.message));
    await start();
    threads[0]?.end(new Error('out of memory'));
    await new Promise(setImmediate);
    assert.deepEqual(crashes, ['out of memory']);
    assert.deepEqual(host.running, undefined);
    await start('http://127.0.0.1:2');
    assert.deepEqual(host.running, { url: 'http://127.0.0.1:2', key: 'k' });
  });

  it("doesn't report a requested end", async () => {
    const { host, threads, start } = createHost();
    const crashes: unknown[] = [];
    host.onDidCrash(error => crashes.push(error));
    await start();
    await host.stop();
    await new Promise(setImmediate);
    assert.deepEqual(threads[0]?.calls, ['stop']);
    assert.deepEqual(crashes, []);
    assert.equal(host.running, undefined);
    await host.stop();
    assert.deepEqual(threads[0]?.calls, ['stop']);
  });

  it('stops while it is starting, and starts again while the old one stops', async () => {
    const { host, threads, start } = createHost();
    const starting = start();
    const stopping = host.stop();
    await Promise.all([starting, stopping]);
    assert.deepEqual(host.running, undefined);
    await start('http://127.0.0.1:2');
    const again = Promise.all([host.stop(), host.start()]);
    await new Promise(setImmediate);
    threads.at(-1)?.start({ url: 'http://127.0.0.1:3', key: 'k' });
    await again;
    assert.deepEqual(host.running, { url: 'http://127.0.0.1:3', key: 'k' });
    assert.equal(threads.length, 3);
  });

  it('ends its thread with the window, even one that is being created', async () => {
    const { host, threads, start } = createHost();
    await start();
    host.dispose();
    assert.deepEqual(threads[0]?.calls, ['kill']);

    const other = createHost();
    const starting = other.host.start();
    other.host.dispose();
    await assert.rejects(starting, /window closed/);
    assert.deepEqual(other.threads[0]?.calls, ['kill']);
  });

  it('reports whether the user or a feature started it', async () => {
    const { host, threads, start } = createHost();
    let starts = 0;
    host.onDidStartByCommand(() => starts++);
    await start();
    assert.equal(starts, 0);
    await host.stop();
    const starting = host.startByCommand();
    await new Promise(setImmediate);
    threads.at(-1)?.start({ url: 'http://127.0.0.1:2', key: 'k' });
    await starting;
    assert.equal(starts, 1);
  });
});
