import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildWhenStale } from '../../start/freshBuild.mjs';
import { watchCrashes } from '../../start/hostCrashes.mjs';
import { takeFolder } from '../../start/oneAtATime.mjs';
import { layFiles, readMemory, toLaying, toWorkFolder, writeMemory } from '../../start/workFolder.mjs';

describe('project/npmStart', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'npm-start-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("stores its files in the user's data folder, or the given one", () => {
    const home = path.resolve('/home/ada');
    const inHome = (...names: string[]) => path.join(home, ...names, 'managed-agents-vscode');
    assert.equal(toWorkFolder({}, 'linux', home), inHome('.local/share'));
    assert.equal(toWorkFolder({ XDG_DATA_HOME: 'relative' }, 'linux', home), inHome('.local/share'));
    assert.equal(toWorkFolder({ XDG_DATA_HOME: path.resolve('/data') }, 'linux', home), path.resolve('/data/managed-agents-vscode'));
    assert.equal(toWorkFolder({}, 'darwin', home), inHome('Library/Application Support'));
    assert.equal(toWorkFolder({}, 'win32', home), inHome('AppData/Local'));
    assert.equal(toWorkFolder({ LOCALAPPDATA: path.resolve('/local') }, 'win32', home), path.resolve('/local/managed-agents-vscode'));
    assert.equal(toWorkFolder({ MANAGED_AGENTS_START_FOLDER: '/elsewhere' }, 'linux', home), path.resolve('/elsewhere'));
  });

  it('notices that its parent process has ended without a signal', async () => {
    const module = path.resolve('test/start/whenParentEnds.mjs');
    const code = `import(${JSON.stringify(pathToFileURL(module).href)}).then(({ whenParentEnds }) => {
      whenParentEnds(() => process.exit(0));
      console.log(process.pid);
      setInterval(() => {}, 1000);
    });`;
    // The shell waits for its child, as npm's shell does.
    const shell = spawn('sh', ['-c', '"$0" -e "$1"; :', process.execPath, code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(shell.stdout, 'close');
    const [pid] = (await once(shell.stdout, 'data')) as [Buffer];
    assert.ok(Number(pid.toString()) > 0);
    shell.kill('SIGTERM');
    // The pipe closes when the last process that has it open ends.
    await closed;
  });

  it('renews only unchanged samples', () => {
    const ours = { same: '1', renewed: '2', missing: '1', changed: '1', 'changed and newer': '2', 'ours by chance': '2' };
    const laid = { same: '1', renewed: '1', changed: '1', 'changed and newer': '1', 'no sample any more': '1' };
    const present = { same: '1', renewed: '1', changed: 'x', 'changed and newer': 'x', 'ours by chance': '2' };
    const { written, kept, laid: after } = toLaying(ours, laid, present);
    assert.deepEqual(written, ['renewed', 'missing']);
    assert.deepEqual(kept, ['changed and newer']);
    assert.deepEqual(after, { ...laid, renewed: '2', missing: '1', 'ours by chance': '2' });
  });

  it('writes files repeatedly without touching the user’s', () => {
    const first = layFiles(folder, { 'samples/a.jsonl': 'one', 'samples/b.jsonl': 'one' }, {});
    const read = (name: string) => readFileSync(path.join(folder, 'samples', name), 'utf8');
    assert.deepEqual([read('a.jsonl'), read('b.jsonl')], ['one', 'one']);
    writeFileSync(path.join(folder, 'samples/a.jsonl'), 'mine');
    writeFileSync(path.join(folder, 'samples/a.results.jsonl'), 'answers');
    const second = layFiles(folder, { 'samples/a.jsonl': 'two', 'samples/b.jsonl': 'two' }, first.laid);
    assert.deepEqual([read('a.jsonl'), read('b.jsonl'), read('a.results.jsonl')], ['mine', 'two', 'answers']);
    assert.deepEqual(second.kept, ['samples/a.jsonl']);
    const third = layFiles(folder, { 'samples/a.jsonl': 'two', 'samples/b.jsonl': 'two' }, second.laid);
    assert.deepEqual([third.written, read('a.jsonl')], [[], 'mine']);
  });

  it('remembers in a file that only its owner can read, and starts again when that is damaged', () => {
    const memory = { ...readMemory(folder), port: 4000 };
    assert.match(memory.token, /^[0-9a-f]{32}$/);
    writeMemory(folder, memory);
    assert.deepEqual(readMemory(folder), memory);
    if (process.platform !== 'win32') {
      assert.equal(statSync(path.join(folder, 'start.json')).mode & 0o077, 0);
    }
    writeFileSync(path.join(folder, 'start.json'), '{"laid":');
    assert.notEqual(readMemory(folder).token, memory.token);
  });

  it('lets one process own a folder, tells others its status, and takes over leftovers', async () => {
    const first = await takeFolder(folder, () => 'it runs at some address');
    assert.equal(first.other, undefined);
    assert.equal((await takeFolder(folder, () => '')).other, 'it runs at some address');
    first.release();
    const second = await takeFolder(folder, () => '');
    assert.equal(second.other, undefined);
    second.release();
    if (process.platform !== 'win32') {
      writeFileSync(path.join(folder, 'running.sock'), '');
      const third = await takeFolder(folder, () => '');
      assert.equal(third.other, undefined, 'what a killed one left is in nobody’s way');
      third.release();
    }
  });

  it('ends when extension hosts crash repeatedly, and only then', () => {
    const reload = { code: '0', signal: 'null' };
    const crash = { code: '134', signal: 'null' };
    const killed = { code: 'null', signal: 'SIGKILL' };
    const judge = watchCrashes();
    for (let second = 0; second < 50; second++) {
      assert.equal(judge(reload, second * 1000), undefined);
      assert.equal(judge({ code: 'null', signal: 'SIGTERM' }, second * 1000), undefined);
    }
    for (const minute of [1, 2, 3, 4]) {
      assert.equal(judge(crash, minute * 60_000), undefined, 'one a minute');
    }
    assert.equal(judge(killed, 4 * 60_000 + 10_000), undefined);
    assert.equal(judge(killed, 4 * 60_000 + 20_000), 'The extension host crashed 3 times within a minute, the last time with SIGKILL');
    assert.match(judge(crash, 4 * 60_000 + 30_000) ?? '', /the last time with code 134/);
  });

  it('builds only outdated parts', async () => {
    mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
    mkdirSync(path.join(folder, 'dist'));
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    write('src/deep/one.ts', 'a');
    const build = async () => write('dist/extension.cjs', 'built');
    assert.equal(await buildWhenStale(folder, build), true);
    assert.equal(await buildWhenStale(folder, build), false);
    write('src/deep/one.ts', 'ab');
    assert.equal(await buildWhenStale(folder, build), true);
    write('src/two.ts', '');
    assert.equal(await buildWhenStale(folder, build), true);
    assert.equal(await buildWhenStale(folder, build), false);
    write('dist/extension.cjs', 'built by something else');
    assert.equal(await buildWhenStale(folder, build), true);
    const failing = async () => Promise.reject(new Error('a typo'));
    write('src/two.ts', 'abc');
    await assert.rejects(buildWhenStale(folder, failing), /a typo/);
    assert.equal(await buildWhenStale(folder, build), true, 'what failed is not fresh');
  });
});
