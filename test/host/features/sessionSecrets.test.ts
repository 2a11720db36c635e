import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../src/common/documents/readonlyDocuments';
import { Log } from '../../../src/common/log';
import { createComposerHost } from '../../../src/features/sessions/composing/composerHost';
import { exportTo } from '../../../src/features/sessions/exporting/exportFile';
import { Conversation } from '../../../src/features/sessions/live/conversation';
import { createPanelHandlers } from '../../../src/features/sessions/panel/panelHandlers';
import { PartOpener } from '../../../src/features/sessions/panel/parts/partOpener';
import type { SessionPanel } from '../../../src/features/sessions/panel/sessionPanel';
import type { ToWebview } from '../../../src/shared/session/sessionProtocol';
import { MemoryMemento } from '../../unit/features/sessions/memoryMemento';
import { createSessionUnderTest, failure, live } from '../../unit/features/sessions/panel/sessionUnderTest';
import { closeEditors } from '../useExtension';

const token = 'CANARY-token-0123456789';
const key = 'sk-ant-api03-CANARY-key-0123456789abcdef';
const secret = { authorization_token: token, nested: { fallback_credit_token: token } };
const waiting = (id: string) => ({
  type: 'session.status_idle',
  id: `idle ${id}`,
  stop_reason: { type: 'requires_action', event_ids: [id] },
});

/** Runs an action, and ignores errors of parts that don't support it. */
async function quietly(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // The part is missing, or has nothing to open.
  }
}

const noConnections = {
  whenKnown: Promise.resolve(),
  find: () => undefined,
  client: async () => assert.fail('nobody sends files'),
};

/** Creates a panel's handlers over a fake session. `told` has the messages to the webview, without the rows. */
function setUp() {
  const tested = createSessionUnderTest();
  const { session, access } = tested;
  const told: ToWebview[] = [];
  const panel = { send: async (message: ToWebview) => void told.push(message) } as SessionPanel;
  const documents = new ReadonlyDocuments('managed-agents-secrets-test', () => 'gone');
  const actions = new Conversation({
    session,
    sessions: () => access.write(),
    t: vscode.l10n.t,
    lifetime: new AbortController().signal,
    warn: message => tested.warnings.push(message),
  });
  const handlers = createPanelHandlers({
    source: session,
    parts: new PartOpener(documents, path.join(tmpdir(), 'pictures-of-the-tests')),
    exportShown: async () => assert.fail('nobody exports'),
    retry: async () => undefined,
    signal: new AbortController().signal,
    live: {
      session,
      actions,
      composer: createComposerHost(noConnections, session.reference, actions, new MemoryMemento(), new AbortController().signal),
    },
  });
  session.start();
  return { ...tested, handlers, panel, told, documents };
}

describe('secrets in a session panel', () => {
  const used: ReturnType<typeof setUp>[] = [];
  const begin = () => {
    const one = setUp();
    used.push(one);
    return one;
  };
  afterEach(async () => {
    for (const { session, documents } of used.splice(0)) {
      session.dispose();
      documents.dispose();
    }
    await closeEditors();
  });

  it('allow no call from another log without readable arguments', async () => {
    const { watch, session, service, handlers, panel, told, time } = begin();
    service.threads.push({ id: 'thr_a', type: 'session_thread', parent_thread_id: 'thr_main' });
    service.threadLogs.set('thr_a', [{ type: 'agent.tool_use', id: 'x', name: 'bash', evaluated_permission: 'ask' }]);
    await time.pass(5000);
    await watch().push({ type: 'events', events: [waiting('x')], live: true }, live);
    assert.equal(session.view.asks[0]?.eventId, 'x');
    await handlers.loadPart({ type: 'loadPart', thread: '', key: 'x', path: 'ask' }, panel);
    const [part] = told;
    assert.ok(part?.type === 'part');
    assert.match(part.problem ?? '', /aren't available/);
    await handlers.confirm({ type: 'confirm', clientId: 'c', eventId: 'x', result: 'allow' }, panel);
    const result = told.at(-1);
    assert.ok(result?.type === 'sendResult' && !result.ok);
    assert.match(result.problem ?? '', /Load all arguments/);
    assert.deepEqual(service.sent, []);
  });

  it('show, open, export and log no token of a secret field', async () => {
    const { watch, session, service, changes, handlers, panel, told, warnings, time } = begin();
    const events = [
      { type: 'user.message', id: 'e1', content: [{ type: 'text', text: 'Deploy it.' }] },
      { type: 'session.updated', id: 'e2', resources: [{ type: 'git_repository', url: `https://me:${token}@example.com/r`, ...secret }] },
      { type: 'agent.tool_use', id: 'e3', name: 'deploy', input: { to: 'test' }, evaluated_permission: 'allow' },
      { type: 'agent.tool_result', id: 'e4', tool_use_id: 'e3', content: [{ type: 'later', ...secret }] },
      { type: 'session.error', id: 'e5', error: { type: 'mcp', message: 'no', server: secret } },
      { type: 'later.invented', id: 'e6', ...secret },
      { type: 'agent.tool_use', id: 'e7', name: 'deploy', input: { to: 'x'.repeat(9000) }, evaluated_permission: 'ask' },
      waiting('e7'),
    ];
    // An open ask shows its arguments unmasked, because the user must judge them. A recorded file has no open asks.
    const call = { type: 'agent.tool_use', id: 'e9', name: 'deploy', input: { to: 'test', ...secret } };
    service.session = { ...service.session, resources: [{ type: 'git_repository', url: 'https://example.com/r', ...secret }] };
    await time.pass(5000);
    await watch().push({ type: 'events', events, live: true }, live);
    await watch().push({
      type: 'state',
      state: { name: 'ended', reason: 'closed', error: failure('api', 'refused', 500, JSON.stringify({ ...secret, said: key })) },
    });
    const paths = ['input', 'result.0', 'details', 'json', 'ask'];
    const { showTextDocument } = vscode.window;
    // Reads the opened document without showing it, because so many tabs take seconds to render.
    vscode.window.showTextDocument = (async () => undefined) as unknown as typeof showTextDocument;
    try {
      for (const { id } of events) {
        for (const part of paths) {
          await handlers.loadPart({ type: 'loadPart', thread: '', key: id, path: part }, panel);
          await quietly(() => handlers.openPart({ type: 'openPart', thread: '', key: id, path: part }, panel));
        }
        await quietly(() => handlers.openRaw({ type: 'openRaw', thread: '', key: id }, panel));
      }
    } finally {
      vscode.window.showTextDocument = showTextDocument;
    }
    assert.ok(told.some(message => message.type === 'part' && message.text.includes('x'.repeat(9000))));
    const rows = JSON.stringify([changes, session.transcript('')?.rows]);
    assert.match(rows, /Deploy it/);
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'managed-agents-secrets-test');
    assert.ok(documents.length >= events.length);
    const lines: string[] = [];
    const channel = { warn: (line: string) => lines.push(line), error: (line: string) => lines.push(line) } as unknown;
    const log = new Log(channel as vscode.LogOutputChannel);
    assert.equal(warnings.length, 1);
    log.warn(warnings[0] ?? '');
    log.error('A session could not be shown', failure('api', 'refused', 500, JSON.stringify({ ...secret, said: key })));
    const shown: Record<string, string> = {
      rows,
      header: JSON.stringify([session.view, session.connection]),
      parts: JSON.stringify(told),
      documents: documents.map(document => document.getText()).join('\n'),
      log: lines.join('\n'),
    };
    const folder = mkdtempSync(path.join(tmpdir(), 'exported-'));
    try {
      for (const format of ['jsonl', 'markdown'] as const) {
        const file = path.join(folder, `session.${format}`);
        const header = { exportedAt: '2026-11-21T12:00:00Z', source: 'Lab', ...session.described };
        await exportTo(file, format, async () => ({ header, logs: [{ thread: '', events: [...events, call] }] }));
        shown[format] = readFileSync(file, 'utf8');
        assert.match(shown[format] ?? '', /Deploy it/);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    for (const [place, text] of Object.entries(shown)) {
      assert.ok(
        !text.includes(token),
        `the ${place} hold the token: ${text.slice(Math.max(0, text.indexOf(token) - 200), text.indexOf(token) + 30)}`,
      );
    }
    assert.ok(!shown.log?.includes(key), 'the log holds a key');
  });
});
