import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../src/common/documents/readonlyDocuments';
import { createPanelHandlers } from '../../../src/features/sessions/panel/panelHandlers';
import { openAskedChange, PartOpener } from '../../../src/features/sessions/panel/parts/partOpener';
import type { SessionPanel } from '../../../src/features/sessions/panel/sessionPanel';
import { toCopyText } from '../../../src/shared/session/rows/rowText';
import { createSessionUnderTest, live } from '../../unit/features/sessions/panel/sessionUnderTest';
import { eventually, eventuallyHolds } from '../eventually';
import { useExtension } from '../useExtension';

const call = (id: string, name: string, input: object) => ({ type: 'agent.tool_use', id, name, input, evaluated_permission: 'allow' });
const done = (id: string) => ({ type: 'agent.tool_result', id: `${id} done`, tool_use_id: id, content: [] });
const edit = { old_string: 'old line\n', new_string: 'new line\n' };

describe("a session's files", () => {
  const folder = 'session files';
  const files = useExtension(folder);
  const tested = createSessionUnderTest();
  const { session } = tested;
  const documents = new ReadonlyDocuments('managed-agents-files-test', () => 'gone');
  const panel = {} as SessionPanel;
  const parts = new PartOpener(documents, path.join(tmpdir(), 'pictures-of-the-tests'));
  const handlers = createPanelHandlers({
    source: session,
    parts,
    exportShown: async () => assert.fail('nobody exports'),
    retry: async () => undefined,
    signal: new AbortController().signal,
  });

  before(async () => {
    session.start();
    await tested.time.pass(5000);
    const events = [
      call('e1', 'edit', { file_path: `/workspace/${folder}/notes.ts`, ...edit }),
      done('e1'),
      call('e2', 'write', { file_path: '/workspace/\u202e..txt', content: 'whole' }),
      call('e3', 'read', { file_path: '../../../etc/passwd' }),
      call('e4', 'bash', { command: 'ls' }),
    ];
    await tested.watch().push({ type: 'events', events, live: true }, live);
  });

  after(() => {
    session.dispose();
    documents.dispose();
  });

  const diffs = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(({ label, input }) => (input instanceof vscode.TabInputTextDiff ? [{ label, input }] : [])),
    );

  async function shownIn(key: string): Promise<readonly [label: string, before: string, after: string]> {
    await handlers.openChange({ type: 'openChange', thread: '', key }, panel);
    return await diffShown();
  }

  async function diffShown(): Promise<readonly [label: string, before: string, after: string]> {
    return await eventually(async () => {
      const [diff, ...others] = diffs();
      if (diff === undefined || others.length > 0) {
        return undefined;
      }
      const { original, modified } = diff.input;
      const texts = [original, modified].map(async uri => (await vscode.workspace.openTextDocument(uri)).getText());
      const [before = '', after = ''] = await Promise.all(texts);
      return [diff.label, before, after] as const;
    });
  }

  it("open a call's change in the diff editor, in its language, also after it ran", async () => {
    assert.deepEqual(await shownIn('e1'), ['notes.ts (changed by the agent)', edit.old_string, edit.new_string]);
    const [diff] = diffs();
    assert.equal((await vscode.workspace.openTextDocument(diff?.input.modified ?? assert.fail())).languageId, 'typescript');
  });

  it('show that a pending call wrote nothing, and hidden characters in its name', async () => {
    const [label, before, after] = await shownIn('e2');
    assert.match(label, /\(not applied\)$/);
    assert.doesNotMatch(label, /\u202e/);
    assert.deepEqual([before, after], ['', 'whole']);
  });

  it('copy the whole row of which a panel has a part', async () => {
    const long = `${'word '.repeat(20_000)}END`;
    const events = [
      { type: 'agent.message', id: 'long', content: [{ type: 'text', text: long }] },
      call('long call', 'bash', { command: long }),
      { ...done('long call'), content: [{ type: 'text', text: `${long} of the result` }] },
    ];
    await tested.watch().push({ type: 'events', events, live: true }, live);
    const copied = async (key: string) => {
      await handlers.copyRow({ type: 'copyRow', thread: '', key }, panel);
      return await vscode.env.clipboard.readText();
    };
    const row = session.transcript('')?.rows.find(({ key }) => key === 'long') ?? assert.fail('no row');
    assert.ok(toCopyText(row).length < long.length, 'the panel has a part of it');
    assert.equal(await copied('long'), long);
    const ofCall = await copied('long call');
    assert.ok(ofCall.startsWith('bash\n\n') && ofCall.includes(JSON.stringify(long)) && ofCall.endsWith('END of the result'));
    await assert.rejects(async () => await copied('of another session'), /has no event/);
  });

  it('open the workspace file of a container path, at the change', async () => {
    files.write('notes.ts', 'first\r\nsecond\r\nnew line\r\n');
    await handlers.openInWorkspace({ type: 'openInWorkspace', thread: '', key: 'e1' }, panel);
    await eventuallyHolds(() => {
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.fsPath.endsWith(path.join(folder, 'notes.ts')), true);
      assert.equal(editor?.selection.active.line, 2);
    });
  });

  it("open an ask's change before it is answered", async () => {
    const asks = [
      {
        ...call('e5', 'edit', { file_path: '/workspace/asked.md', old_string: 'is', new_string: 'would be' }),
        evaluated_permission: 'ask',
      },
      { ...call('e6', 'bash', { command: 'ls' }), evaluated_permission: 'ask' },
      { type: 'session.status_idle', id: 'e7', stop_reason: { type: 'requires_action', event_ids: ['e5', 'e6'] } },
    ];
    await tested.watch().push({ type: 'events', events: asks, live: true }, live);
    const { signal } = new AbortController();
    await openAskedChange(session, parts, 'e5', signal);
    assert.deepEqual(await diffShown(), ['asked.md (not applied)', 'is', 'would be']);
    await assert.rejects(openAskedChange(session, parts, 'e6', signal), /don't name a file/);
  });

  it('open nothing outside of the workspace, and say so', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    vscode.window.showInformationMessage = (async (message: string) => void said.push(message)) as typeof showInformationMessage;
    try {
      await handlers.openInWorkspace({ type: 'openInWorkspace', thread: '', key: 'e3' }, panel);
    } finally {
      vscode.window.showInformationMessage = showInformationMessage;
    }
    assert.deepEqual(said, ["../../../etc/passwd isn't in the workspace."]);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    await assert.rejects(async () => handlers.openChange({ type: 'openChange', thread: '', key: 'e4' }, panel), /don't name a file/);
    await assert.rejects(async () => handlers.openChange({ type: 'openChange', thread: '', key: 'e3' }, panel), /don't name a file/);
  });
});
