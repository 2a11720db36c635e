import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { KindCommands, type KindOwner } from '../../../src/common/kindCommands';
import type { KindVerb, Reference, SessionReference } from '../../../src/contributions';

const session: SessionReference = { connection: 'Lab', sessionId: 'sesn_1' };
const vault: Reference = { connection: 'Lab', kind: 'vault', id: 'vlt_1' };

describe('common/kindCommands', () => {
  let ran: (readonly unknown[])[];
  let offered: (readonly string[])[];
  let hasPanel: boolean;
  let visible: readonly string[];
  let kinds: KindCommands;

  beforeEach(() => {
    Object.assign(vscode.window, { activeTextEditor: undefined });
    [ran, offered, hasPanel, visible] = [[], [], false, []];
    kinds = new KindCommands(async choices => {
      offered.push(choices.map(({ label }) => label));
      return choices.at(-1)?.value ?? assert.fail();
    });
    const handler =
      (...what: readonly string[]) =>
      (target?: unknown, selected?: unknown) =>
        void ran.push([...what, target, selected]);
    const owner = <T extends SessionReference | Reference>(
      name: string,
      owns: KindOwner<T, KindVerb>['owns'],
      ...labels: readonly string[]
    ): KindOwner<T, 'archive' | 'refresh'> => ({
      verbs: ['archive', 'refresh'],
      owns,
      isInFront: () => name === 'sessions' && hasPanel,
      isVisible: () => visible.includes(name),
      kinds: async () => labels.map(value => ({ label: `The ${value}`, value })),
      handlers: async () => ({ archive: handler(name, 'archive'), refresh: handler(name, 'refresh') }),
    });
    kinds.register(
      owner(
        'sessions',
        (row): row is SessionReference => row === 'session' || typeof (row as SessionReference | undefined)?.sessionId === 'string',
        'session',
      ),
    );
    kinds.register(
      owner(
        'resources',
        (row): row is Reference =>
          typeof row === 'string' || row instanceof vscode.Uri || typeof (row as Reference | undefined)?.kind === 'string',
        'vault',
        'skill',
      ),
    );
  });
  after('have no editor any more', () => void Reflect.deleteProperty(vscode.window, 'activeTextEditor'));

  it('runs on its row, and passes on the selected rows of the same owner', async () => {
    await kinds.run('archive', session, [session, vault]);
    await kinds.run('archive', vault, [vault]);
    assert.deepEqual(ran, [
      ['sessions', 'archive', session, [session]],
      ['resources', 'archive', vault, [vault]],
    ]);
    assert.deepEqual(offered, []);
  });

  it('runs without a row on the active panel or document, otherwise on a chosen kind', async () => {
    hasPanel = true;
    await kinds.run('archive', { groupId: 0 });
    hasPanel = false;
    const uri = vscode.Uri.parse('managed-agents-resource:/a');
    Object.assign(vscode.window, { activeTextEditor: { document: { uri } } });
    await kinds.run('archive');
    Object.assign(vscode.window, { activeTextEditor: undefined });
    await kinds.run('archive');
    assert.deepEqual(ran, [
      ['sessions', 'archive', undefined, []],
      ['resources', 'archive', uri, []],
      ['resources', 'archive', 'skill', []],
    ]);
    assert.deepEqual(offered, [['The session', 'The vault', 'The skill']]);
  });

  it('accepts the name of a kind, as links pass it', async () => {
    await kinds.run('archive', 'session');
    assert.deepEqual(ran, [['sessions', 'archive', 'session', []]]);
  });

  it('refreshes the visible views, or all if none is visible', async () => {
    visible = ['resources'];
    await kinds.run('refresh', session);
    visible = [];
    await kinds.run('refresh');
    assert.deepEqual(
      ran.map(([name]) => name),
      ['resources', 'sessions', 'resources'],
    );
  });
});
