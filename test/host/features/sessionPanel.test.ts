import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServiceClient } from '../../../src/client/serviceClient';
import { ReadonlyDocuments } from '../../../src/common/documents/readonlyDocuments';
import { Log } from '../../../src/common/log';
import { type Emulator, startEmulator } from '../../../src/emulator/server';
import type { Connection, Connections } from '../../../src/features/connection/connection';
import type { PanelSession } from '../../../src/features/sessions/facts/listedSession';
import type { LiveSession } from '../../../src/features/sessions/live/liveSession';
import { OpenSessionPanels } from '../../../src/features/sessions/panel/openSessionPanels';
import { contractClient } from '../../helpers/emulatorClient';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { eventually, eventuallyHolds } from '../eventually';
import { closeEditors } from '../useExtension';

const key = 'key-of-the-tests';

describe('session panels in the extension host', () => {
  let emulator: Emulator;
  let client: ServiceClient;
  let host: OpenSessionPanels;
  let sessionId: string;
  const disposables: vscode.Disposable[] = [];
  const seen: PanelSession[] = [];
  const seeing = new vscode.EventEmitter<void>();
  const connected = new vscode.EventEmitter<void>();
  const warnings: string[] = [];
  const errors: unknown[] = [];

  before(async () => {
    emulator = await startEmulator({ key, scenario: { sessionPause: 0 } });
    client = contractClient(emulator);
    const [agent] = (await client.agents.list()).items;
    const [environment] = (await client.environments.list()).items;
    sessionId = (await client.sessions.create({ agent: agent?.id ?? '', environment_id: environment?.id, title: 'In the host' })).data.id;
    const connection: Connection = {
      name: 'Lab',
      baseUrl: emulator.url,
      auth: 'x-api-key',
      dialect: 'contract',
      extraBetas: [],
      limits: { maxRequests: 1, maxBytes: 1 },
      allowInsecureHttp: false,
      isEmulator: false,
    };
    const connections: Connections = {
      current: connection,
      state: 'ready',
      access: undefined,
      reason: undefined,
      served: { has: () => undefined, note: () => {}, onDidChange: () => ({ dispose: () => {} }) },
      whenKnown: Promise.resolve(),
      onDidChange: connected.event,
      all: () => [connection],
      find: name => (name === 'Lab' ? connection : undefined),
      setUserProfile: async () => {},
      client: async () => client,
    };
    const extension = vscode.extensions.getExtension('managed-agents.managed-agents');
    assert.ok(extension);
    const channel = vscode.window.createOutputChannel('Session panel tests', { log: true });
    const documents = new ReadonlyDocuments('managed-agents-session-test', () => 'gone');
    disposables.push(channel, documents, seeing, connected);
    const log = new Log(channel);
    log.warn = message => warnings.push(message);
    log.error = (_message, error) => errors.push(error);
    host = new OpenSessionPanels({
      // Only these members of the context are read.
      context: {
        workspaceState: new MemoryMemento(),
        extensionUri: extension.extensionUri,
        globalStorageUri: vscode.Uri.file(tmpdir()),
        globalState: new MemoryMemento(),
      } as unknown as vscode.ExtensionContext,
      connections,
      emulator: {
        running: undefined,
        isStarting: false,
        onDidChange: new vscode.EventEmitter<void>().event,
        onDidStartByCommand: new vscode.EventEmitter<void>().event,
        start: async () => assert.fail('nobody asked for the emulator'),
        stop: async () => undefined,
      },
      log,
      documents,
      rules: { get: () => new Promise(() => undefined), current: undefined },
      onChange: one => {
        seen.push(one);
        seeing.fire();
      },
    });
  });
  afterEach('close what is open', closeEditors);
  after(async () => {
    host.dispose();
    vscode.Disposable.from(...disposables).dispose();
    await client.close();
    await emulator.stop();
  });

  const reference = () => ({ connection: 'Lab', sessionId });
  const panels = () => vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(tab => tab.input instanceof vscode.TabInputWebview);
  const latest = () => seen.at(-1)?.view;

  it('open one panel per session, which reports its state and leaves no stream open', async () => {
    assert.deepEqual(panels(), []);
    await host.show(reference(), {});
    await eventuallyHolds(() => assert.equal(panels()[0]?.label, 'In the host'));
    await eventuallyHolds(() => assert.equal(emulator.openStreams, 1));
    await eventuallyHolds(() => assert.equal(host.upToDate.length, 1));
    await host.show(reference(), { focus: 'composer' });
    await eventuallyHolds(() => assert.deepEqual(host.active, reference()));
    assert.equal(panels().length, 1);
    await client.sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text: 'ask rm -rf build' }] }]);
    await emulator.advanceClock(0);
    await eventuallyHolds(() => assert.equal(latest()?.state, 'waiting'));
    assert.equal(latest()?.asks.length, 1);
    await vscode.window.tabGroups.close(panels());
    await eventuallyHolds(() => assert.equal(emulator.openStreams, 0));
    await eventuallyHolds(() => assert.deepEqual(host.upToDate, []));
    assert.equal(host.active, undefined);
    assert.deepEqual(warnings, []);
  });

  it('report the last state when they are closed right afterwards', async () => {
    await host.show(reference(), {});
    await eventuallyHolds(() => assert.equal(host.upToDate.length, 1));
    await eventuallyHolds(() => assert.equal(latest()?.asks.length, 1));
    const [opened] = [
      ...(
        host as unknown as {
          readonly open: { readonly all: readonly { readonly panel: vscode.WebviewPanel; readonly session: LiveSession }[] };
        }
      ).open.all,
    ];
    assert.ok(opened);
    const closed = new Promise<string | undefined>(resolve => {
      opened.session.onDidChange(() => {
        if (opened.session.view.asks.length === 0) {
          opened.panel.dispose();
          resolve(latest()?.state);
        }
      });
    });
    const [ask] = opened.session.view.asks;
    assert.ok(ask);
    await client.sessions.send(sessionId, [{ type: 'user.tool_confirmation', tool_use_id: ask.eventId, result: 'allow' }]);
    await emulator.advanceClock(0);
    await closed;
    await eventuallyHolds(() => assert.equal(latest()?.asks.length, 0));
    await eventuallyHolds(() => assert.deepEqual(host.upToDate, []));
  });

  it('survive a missing session', async () => {
    await host.show({ connection: 'Lab', sessionId: 'sesn_nowhere' }, {});
    await eventuallyHolds(() => assert.equal(warnings.length, 1));
    assert.match(warnings[0] ?? '', /sesn_nowhere is no longer watched.*404/);
    await eventuallyHolds(() => assert.equal(panels().length, 1));
    warnings.length = 0;
  });

  it('survive a missing connection', async () => {
    await host.show({ connection: 'Gone', sessionId }, {});
    await eventuallyHolds(() => assert.equal(panels().length, 1));
    // Ignores late warnings about the session of the previous test.
    assert.deepEqual(
      warnings.filter(warning => !warning.includes('sesn_nowhere')),
      [],
    );
    warnings.length = 0;
  });

  it("don't report a canceled export", async () => {
    const received = new vscode.EventEmitter<unknown>();
    const disposed = new vscode.EventEmitter<void>();
    const webview = {
      ...{ options: {}, html: '', cspSource: '', onDidReceiveMessage: received.event },
      ...{ asWebviewUri: (uri: vscode.Uri) => uri, postMessage: async () => true },
    };
    // A webview whose messages the test sends.
    const panel = {
      ...{ webview, visible: true, active: true, title: '', onDidDispose: disposed.event },
      ...{ onDidChangeViewState: new vscode.EventEmitter<never>().event, dispose: () => disposed.fire() },
    } as unknown as vscode.WebviewPanel;
    const { createQuickPick } = vscode.window;
    let asked = 0;
    const canceled = () => {
      asked++;
      const pick = createQuickPick();
      const hidden = new vscode.EventEmitter<void>();
      return Object.assign(Object.create(pick), { onDidHide: hidden.event, show: () => hidden.fire(), dispose: () => pick.dispose() });
    };
    Object.assign(vscode.window, { createQuickPick: canceled });
    try {
      await host.restore(panel, { connection: 'Lab', session: 'sesn_of_nobody' });
      received.fire({ type: 'export', thread: '' });
      received.fire({ type: 'openAgent' });
      await eventually(() => errors.length > 0);
      assert.equal(asked, 1);
      assert.deepEqual(
        errors.map(error => (error instanceof Error ? error.message : '')),
        ['The agent of this session is unknown.'],
      );
    } finally {
      Object.assign(vscode.window, { createQuickPick });
      panel.dispose();
      warnings.length = 0;
      errors.length = 0;
    }
  });

  it('keep a target to reveal until their page is ready, even if everything was read before', async () => {
    const received = new vscode.EventEmitter<unknown>();
    const disposed = new vscode.EventEmitter<void>();
    const posted: { readonly type: string; readonly eventId?: string }[] = [];
    const told = () => posted.filter(({ type }) => type === 'focus' || type === 'reveal').map(({ type, eventId }) => [type, eventId]);
    const webview = {
      ...{ options: {}, html: '', cspSource: '', onDidReceiveMessage: received.event, asWebviewUri: (uri: vscode.Uri) => uri },
      postMessage: async (message: (typeof posted)[number]) => posted.push(message) > 0,
    };
    const panel = {
      ...{ webview, visible: true, active: true, title: '', onDidDispose: disposed.event, reveal: () => undefined },
      ...{ onDidChangeViewState: new vscode.EventEmitter<never>().event, dispose: () => disposed.fire() },
    } as unknown as vscode.WebviewPanel;
    await client.sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text: 'ask rm -rf build' }] }]);
    await emulator.advanceClock(0);
    const [idle] = (await client.sessions.events(sessionId).list({ order: 'desc', limit: 1 })).items;
    const waited = idle?.stop_reason as { readonly event_ids: readonly string[] } | undefined;
    const eventId = waited?.event_ids[0];
    assert.ok(eventId);
    await host.restore(panel, { connection: 'Lab', session: sessionId });
    await host.show(reference(), { eventId, focus: 'ask' });
    await eventuallyHolds(() => assert.equal(host.upToDate.length, 1));
    assert.deepEqual(posted, []);
    received.fire({ type: 'ready' });
    await eventuallyHolds(() =>
      assert.deepEqual(told(), [
        ['reveal', undefined],
        ['focus', eventId],
      ]),
    );
    panel.dispose();
  });

  it('open an exported file in its custom editor', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'exported-'));
    try {
      const file = vscode.Uri.file(path.join(folder, 'one.session.jsonl'));
      writeFileSync(file.fsPath, '{"type":"agent.message","id":"e1","content":[{"type":"text","text":"Hello"}]}\n');
      await vscode.commands.executeCommand('managedAgents.session.openExport', file);
      await eventually(() => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof vscode.TabInputCustom && input.viewType === 'managedAgents.exportedSession';
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
