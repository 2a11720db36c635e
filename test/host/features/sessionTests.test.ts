import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { Connection } from '../../../src/features/connection';
import { type RunOnOptions, runOn } from '../../../src/features/sessions/testing/runOn';
import { registerTestProblems } from '../../../src/features/sessions/testing/testProblems';
import { contractClient } from '../../helpers/emulatorClient';
import { eventually } from '../eventually';

const key = 'local-test-key-0015';
const lifetime = new AbortController().signal;

describe('session tests in the Testing view', () => {
  const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
  const showWarning = Object.getOwnPropertyDescriptor(vscode.window, 'showWarningMessage');
  let emulator: Emulator;
  let client: ServiceClient;
  let folder: string;
  let agent: string;
  let environment: string;
  let controller: vscode.TestController;
  let outcomes: { readonly how: string; readonly messages: readonly vscode.TestMessage[] }[];
  let asked: string[];
  let answer: 'Run' | undefined;

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'session-tests-'));
    emulator = await startEmulator({ key, scenario: { sessionPause: 0 } });
    client = contractClient(emulator);
    agent = (await client.agents.list()).items.find(({ name }) => name === 'Coordinator')?.id ?? '';
    environment = (await client.environments.list()).items[0]?.id ?? '';
    controller = vscode.tests.createTestController('sessionTestsUnderTest', 'Under test');
  });

  beforeEach(() => {
    outcomes = [];
    asked = [];
    answer = 'Run';
    Object.defineProperty(vscode.window, 'showWarningMessage', {
      configurable: true,
      writable: true,
      value: async (message: string, { detail }: vscode.MessageOptions, ...items: readonly vscode.MessageItem[]) => {
        asked.push(`${message}\n${detail}`);
        return items.find(({ title }) => title === answer);
      },
    });
  });

  afterEach(() => {
    for (const [target, name, before] of [
      [vscode.workspace, 'isTrusted', isTrusted],
      [vscode.window, 'showWarningMessage', showWarning],
    ] as const) {
      if (before !== undefined) {
        Object.defineProperty(target, name, before);
      }
    }
  });

  after(async () => {
    controller.dispose();
    await client.close();
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const sessions = async () => (await client.sessions.list({ includeArchived: true })).items.length;
  /** Runs a session test with these fields, formatted like a generated file, on the emulator or on a service. */
  const run = async (name: string, fields: object, isEmulator: boolean, start = (options: RunOnOptions) => runOn('Lab', options)) => {
    const file = path.join(folder, `${name}.session-test.json`);
    const calls = [{ tool: 'bash', input: { command: 'ls' } }];
    const test = { agent: { id: agent }, environment, messages: ['bash ls'], calls, ...fields };
    await writeFile(file, JSON.stringify(test, null, 2));
    const item = controller.createTestItem(name, name, vscode.Uri.file(file));
    const tell = (how: string) => (_: vscode.TestItem, messages?: vscode.TestMessage | readonly vscode.TestMessage[]) => {
      outcomes.push({ how, messages: messages === undefined || typeof messages === 'number' ? [] : [messages].flat() });
    };
    const connection = { name: 'Lab', baseUrl: emulator.url, isEmulator } as Connection;
    const connections = {
      find: (of: string) => (of === 'Lab' ? connection : undefined),
      client: async () => client,
      all: () => [connection],
    };
    const ways = { started: () => undefined, appendOutput: () => undefined };
    const to = { ...ways, passed: tell('passed'), failed: tell('failed'), errored: tell('errored'), skipped: tell('skipped') };
    await start({ connections, items: [item], run: to as unknown as vscode.TestRun, signal: lifetime, lifetime });
    return outcomes;
  };
  const lineOf = (name: string, message: vscode.TestMessage | undefined) => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`${name}.session-test.json`));
    return document?.getText(message?.location?.range).trim();
  };

  it('pass on the emulator without a question, and without a budget', async () => {
    assert.deepEqual(await run('green', {}, true), [{ how: 'passed', messages: [] }]);
    assert.deepEqual(asked, []);
  });

  it('show a difference at the call, expected beside actual', async () => {
    const [result] = await run('red', { messages: ['bash ls -a'] }, true);
    const [message] = result?.messages ?? [];
    assert.equal(result?.how, 'failed');
    assert.match(String(message?.message), /Arguments of call 1 \(bash\) differ from those of call 1 of the test/);
    assert.deepEqual(
      [message?.expectedOutput, message?.actualOutput].map(output => JSON.parse(output ?? '')),
      [{ command: 'ls' }, { command: 'ls -a' }],
    );
    assert.equal(message?.location?.range.start.line, 9);
    assert.equal(lineOf('red', message), '{');
  });

  it("don't run if their file is invalid, which is reported in place", async () => {
    const [result] = await run('wrong', { compare: { order: 'some' } }, true);
    assert.equal(result?.how, 'errored');
    assert.equal(lineOf('wrong', result?.messages[0]), '"some"');
  });

  it('run on the connection of their recording', async () => {
    assert.deepEqual(await run('recorded', { connection: 'Lab' }, true, options => runOn(undefined, options)), [
      { how: 'passed', messages: [] },
    ]);
    outcomes = [];
    const [result] = await run('elsewhere', { connection: 'Gone' }, true, options => runOn(undefined, options));
    assert.equal(result?.how, 'errored');
    assert.match(String(result?.messages[0]?.message), /There is no connection "Gone"/);
    assert.equal(lineOf('elsewhere', result?.messages[0]), '"Gone"');
  });

  it('say that the emulator has no such agent', async () => {
    const [result] = await run('foreign', { agent: { id: 'agent_of_another_service' } }, true);
    assert.equal(result?.how, 'errored');
    assert.match(String(result?.messages[0]?.message), /The emulator has no agent agent_of_another_service/);
  });

  it('start nothing on a service without a budget, and ask nothing', async () => {
    const before = await sessions();
    const [result] = await run('unpaid', {}, false);
    assert.equal(result?.how, 'errored');
    assert.match(String(result?.messages[0]?.message), /Add a "budget"/);
    assert.deepEqual(asked, []);
    assert.equal(await sessions(), before);
  });

  it('run on a service after a question about the cost, and not if it is declined', async () => {
    const before = await sessions();
    answer = undefined;
    assert.deepEqual(
      (await run('left', { budget: '0.50' }, false)).map(({ how }) => how),
      ['skipped'],
    );
    assert.equal(await sessions(), before);
    assert.match(asked[0] ?? '', /Run tests on this service \(1\)\?\n[\s\S]*Costs up to \$0\.50/);
    answer = 'Run';
    outcomes = [];
    assert.deepEqual(
      (await run('paid', { budget: '0.50' }, false)).map(({ how }) => how),
      ['passed'],
    );
    assert.equal(await sessions(), before + 1);
  });

  it('show errors and possible secrets while they are open', async () => {
    const problems = registerTestProblems();
    try {
      const file = vscode.Uri.file(path.join(folder, 'open.session-test.json'));
      const token = `ghp_${'a1B2c3D4e5'.repeat(3)}a1B2c3`;
      await writeFile(file.fsPath, JSON.stringify({ agent: { id: 'a' }, messages: [`Use ${token}`], budget: 1 }, null, 2));
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
      const found = await eventually(() => {
        const own = vscode.languages.getDiagnostics(file).filter(({ source }) => source === 'managed-agents');
        return own.length >= 2 ? own : undefined;
      });
      assert.deepEqual(
        found.map(({ code, range }) => [code, range.start.line]),
        [
          ['session-test', 7],
          ['secret', 5],
        ],
      );
      assert.equal(JSON.stringify(found).includes(token), false);
    } finally {
      problems.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  for (const isEmulator of [true, false]) {
    it(`are rejected in an untrusted workspace: ${isEmulator ? 'on the emulator' : 'on a service'}`, async () => {
      Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
      const before = await sessions();
      await assert.rejects(run('untrusted', { budget: '0.50' }, isEmulator), /until you trust this workspace/);
      assert.deepEqual([outcomes, asked], [[], []]);
      assert.equal(await sessions(), before);
    });
  }
});
