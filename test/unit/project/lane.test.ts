import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../helpers/until';
import { Lane } from '../../runner/lane.mjs';

const entry = path.join(process.env.TEST_BUILD ?? '', 'laneEntry.js');
const pass = "it('passes', () => {});";

/** Code of a program that never ends but by itself, nor does what it starts. */
const startingGroup = `
  import { startGroup } from ${JSON.stringify(pathToFileURL(path.resolve('test/helpers/processGroup.mjs')).href)};
  startGroup(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {});
  process.once('disconnect', () => process.exit(0));`;

describe('project/lane', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lane-'));
  const lanes: Lane[] = [];
  afterEach(async () => {
    for (const lane of lanes.splice(0)) {
      await lane.end();
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const start = (env: NodeJS.ProcessEnv = {}) => {
    const lane = new Lane({ entry, env });
    lanes.push(lane);
    return lane;
  };
  const write = (name: string, code: string) => {
    const file = path.join(folder, `${name}.mjs`);
    writeFileSync(file, code);
    return file;
  };
  const run = async (lane: Lane, name: string, code: string, grep = '') => {
    let printed = '';
    const print = (text: string) => {
      printed += text;
    };
    const order = { name, file: write(name, code), grep, listsTests: false, env: { TEST_ORDER: name } };
    const { passed, failed, failures, evidence } = await lane.run(order, print);
    return { passed, failed, failures, evidence, printed };
  };

  it('runs files one after another in one process, and counts each by itself', async () => {
    const lane = start({ TEST_LANE: 'here' });
    const first = await run(lane, 'first', `${pass} it('fails', () => { throw new Error('on purpose'); }); it('is pending');`);
    assert.deepEqual(first.failures, ['fails: on purpose', 'is pending: pending']);
    assert.deepEqual([first.passed, first.failed], [1, 2]);
    assert.match(first.printed, /on purpose/);
    const second = await run(
      lane,
      'second',
      "it('knows', () => { if (process.env.TEST_LANE !== 'here' || process.env.TEST_ORDER !== 'second') throw new Error('unknown'); });",
    );
    assert.deepEqual([second.passed, second.failed], [1, 0]);
  });

  it('fails a file that runs nothing or cannot be loaded, and goes on', async () => {
    const lane = start();
    assert.deepEqual((await run(lane, 'empty', '')).failures, ['it ran no test']);
    assert.match((await run(lane, 'broken', "import './nowhere.mjs';")).failures[0] ?? '', /could not be loaded.*nowhere/);
    assert.equal((await run(lane, 'named', pass, 'another name')).failed, 0);
    assert.equal((await run(lane, 'whole', pass)).passed, 1);
  });

  it('tells when a file ends its process, and what had passed before', async () => {
    const lane = start();
    const { passed, failures } = await run(lane, 'dying', `${pass} it('dies', () => process.exit(7));`);
    assert.deepEqual([passed, failures], [1, ['its process ended with code 7 before its end']]);
    assert.equal(lane.isAlive, false);
  });

  it('fails a test that lets an error go, after other files and before others', async () => {
    const lane = start();
    const late = "it('lets go', () => new Promise(() => setImmediate(() => { throw new Error('late'); })));";
    for (const [name, code, failures] of [
      ['before', pass, []],
      ['late', late, ['lets go: late']],
      ['after', pass, []],
    ] as const) {
      assert.deepEqual((await run(lane, name, code)).failures, failures);
    }
    assert.equal(lane.isAlive, true);
  });

  it('keeps what a test tells of its evidence', async () => {
    const tell = "it('tells', () => { process.send({ name: 'evidence', args: ['out/failures/x'] }); });";
    assert.deepEqual((await run(start(), 'evidence', tell)).evidence, ['out/failures/x']);
  });

  /** Code of a test that starts a program in a group of its own, and never ends. */
  const hanging = (tell: string, hang: string) => `
    import { spawn } from 'node:child_process';
    it('hangs', () => {
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
      ${tell}
      process.send({ name: 'print', args: ['started ' + process.pid + ' ' + pid] });
      ${hang}
    });`;
  const tellsRunner = "process.send({ name: 'groupStarted', args: [pid] });";
  const endsItself = "process.on('exit', () => process.kill(-pid, 'SIGKILL'));";
  /** Code of a test that starts a program with a channel, which starts another one in a group of its own and tells of it. */
  const passingOn = `
    import { fork } from 'node:child_process';
    it('hangs', () => new Promise(() => {
      const child = fork(${JSON.stringify(write('child', startingGroup))});
      child.on('message', message => {
        process.send(message);
        process.send({ name: 'print', args: ['started ' + child.pid + ' ' + message.args[0]] });
      });
    }));`;
  const neverYields = 'for (;;);';
  const waits = 'return new Promise(() => undefined);';

  /** Runs a test in a lane of a runner of its own, ends that one, and settles when nothing of it is left. */
  async function endRunner(signal: NodeJS.Signals, code: string): Promise<void> {
    const file = write(`hanging-${signal}`, code);
    const runner = write(
      `runner-${signal}`,
      `import { Lane } from ${JSON.stringify(pathToFileURL(path.resolve('test/runner/lane.mjs')).href)};
       const lane = new Lane({ entry: ${JSON.stringify(entry)}, env: {} });
       const order = { name: 'hanging', file: ${JSON.stringify(file)}, grep: '', listsTests: false, env: {} };
       await lane.run(order, text => process.stdout.write(text));`,
    );
    const child = spawn(process.execPath, [runner], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += text;
      if (/started \d+ \d+\n/.test(output)) {
        break;
      }
    }
    const [, lane = '', sleeping = ''] = /started (\d+) (\d+)/.exec(output) ?? assert.fail(output);
    child.kill(signal);
    await gone(Number(child.pid));
    await gone(Number(lane));
    await gone(Number(sleeping));
  }

  it('ends with all that it started, by whatever signal the runner is ended', async () => {
    await Promise.all([
      endRunner('SIGTERM', hanging(tellsRunner, neverYields)),
      endRunner('SIGINT', hanging(tellsRunner, waits)),
      endRunner('SIGKILL', hanging(endsItself, waits)),
      endRunner('SIGHUP', passingOn),
    ]);
  });
});

/** Settles when a process has ended. */
async function gone(pid: number): Promise<void> {
  // Nothing tells of the end of a process that is no child.
  await until(() => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  }, 20);
}
