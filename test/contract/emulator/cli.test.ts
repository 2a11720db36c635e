import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { batchOf, call } from '../../helpers/emulatorClient';

describe('start/emulatorCli', () => {
  const program = path.join(process.env.TEST_BUILD ?? '', 'emulatorCli.js');
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) {
      child.kill('SIGKILL');
    }
  });

  function run(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    const ended = once(child, 'close').then(([code]) => ({ code, output }));
    const printed = new Promise<string>(resolve => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', text => {
          output += text;
          if (output.includes('Ctrl-C stops it.') || output.endsWith('}\n')) {
            resolve(output);
          }
        });
      }
    });
    return { child, ended, printed };
  }

  it('prints its address, its key and a command that works, and stops at Ctrl-C', async () => {
    const { child, ended, printed } = run('--key', 'my-key', '--dialect', 'anthropic-2026', '--scenario', '{"batchDuration":60000}');
    const output = await printed;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
    assert.match(output, /Key: my-key/);
    const [curl = ''] = /curl [\s\S]*?\]\}'/.exec(output) ?? [];
    const quoted = [...curl.matchAll(/'([^']*)'/g)].map(match => match[1] ?? '');
    const headers = quoted
      .filter(text => /^[a-z-]+: /.test(text))
      .map((text): [string, string] => [text.split(': ')[0] ?? '', text.split(': ')[1] ?? '']);
    const response = await fetch(quoted[0] ?? '', { method: 'POST', headers, body: quoted.at(-1) });
    assert.equal(response.status, 200);
    assert.equal((await call({ url, key: 'my-key' }, 'GET', '/_emulator/scenario')).json.batchDuration, 60_000);
    child.kill('SIGINT');
    assert.equal((await ended).code, 0);
  });

  it('accepts faults by name, count and route, and prints one line of JSON on request', async () => {
    const faults = [
      { name: 'overloaded', times: 1, route: 'batches.create' },
      { name: 'rateLimit', route: 'models.list' },
    ];
    const { child, ended, printed } = run('--json', '--scenario', JSON.stringify({ faults }));
    const emulator = JSON.parse(await printed);
    assert.equal((await call(emulator, 'GET', '/v1/models')).status, 429);
    assert.equal((await call(emulator, 'GET', '/v1/models')).status, 429);
    assert.equal((await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('x'))).status, 529);
    assert.equal((await call(emulator, 'POST', '/v1/messages/batches?beta=true', batchOf('x'))).status, 200);
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0);
  });

  it('keeps its folder while it is suspended @nightly', async () => {
    const state = path.join(path.dirname(program), 'cli-state');
    const first = run('--json', '--state', state);
    const started = JSON.parse(await first.printed);
    first.child.kill('SIGSTOP');
    const { code, output } = await run('--json', '--state', state).ended;
    assert.equal(code, 1);
    assert.match(output, /Another emulator uses /);
    first.child.kill('SIGCONT');
    assert.equal((await call(started, 'POST', '/v1/messages/batches?beta=true', batchOf('x'))).status, 200);
    first.child.kill('SIGINT');
    assert.equal((await first.ended).code, 0);
  });

  it('reports invalid options', async () => {
    for (const [args, text] of [
      [['--dialect', 'klingon'], /Unknown dialect "klingon"\. Use one of contract/],
      [['--port', 'x'], /--port takes a number/],
      [['--scenario', '{"faults":[{"name":"gremlins"}]}'], /faults\.0\.name/],
      [['--scenario', '{"streamPause":"x"}'], /streamPause/],
    ] as const) {
      const { code, output } = await run(...args).ended;
      assert.equal(code, 1);
      assert.match(output, text);
    }
    const help = await run('--help').ended;
    assert.equal(help.code, 0);
    assert.match(help.output, /--scenario/);
  });
});
