import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Session } from '../../../../../src/client/resources/sessions';
import type { TreeNode } from '../../../../../src/common/tree/treeNode';
import { SessionStore } from '../../../../../src/features/sessions/list/sessionStore';
import { createSessionsTree, type SessionsRow } from '../../../../../src/features/sessions/list/sessionsTreeDataProvider';

/** Creates a tree over a store with sessions. `refreshed` returns the ids of the items that VS Code should refresh. */
function treeOf(count: number) {
  let now = Date.parse('2026-11-21T12:00:30Z');
  const clock = { now: () => now, monotonic: () => now };
  const store = new SessionStore(clock, () => []);
  const context = () => ({ translate: vscode.l10n.t, locale: 'en', now });
  const tree = createSessionsTree(store, context, async () => '', { nameOf: ({ deployment }) => `Name of ${deployment}` });
  const told: (string | undefined)[] = [];
  tree.onDidChangeTreeData(changed => {
    told.push(...(changed === undefined ? [undefined] : changed.map(({ key }) => key)));
  });
  store.reset('A');
  const sessionOf = (id: number, change: Partial<Session> = {}): Session => ({
    ...{ id: `s${id}`, type: 'session', status: 'idle', title: `Session ${id}`, updated_at: '2026-11-21T11:00:00Z' },
    ...change,
  });
  const items = Array.from({ length: count }, (_, id) => sessionOf(id));
  store.acceptFirstPage(store.list.scope ?? '', { items, nextCursor: undefined, requestId: undefined }, now);
  const rows = () => tree.getChildren().map(root => [root, tree.getChildren(root)] as const);
  const refreshed = () => {
    tree.refresh();
    return told.splice(0);
  };
  const ids = (nodes: readonly TreeNode<SessionsRow>[]) => nodes.map(({ key }) => key);
  return {
    ...{ store, tree, sessionOf, rows, refreshed, ids },
    put: (id: number, change: Partial<Session>) => store.put('A', sessionOf(id, change)),
    wait: (minutes: number) => {
      now += minutes * 60_000;
    },
    dispose: () => tree.dispose(),
  };
}

describe('features/sessions/list/sessionsTreeDataProvider', () => {
  it('refreshes changed rows one by one, with the same object for the same session', () => {
    const { rows, refreshed, put, dispose } = treeOf(300);
    const [[group, before] = []] = rows();
    assert.deepEqual(refreshed(), []);
    put(7, { title: 'Another name' });
    assert.deepEqual(refreshed(), ['A\ns7']);
    const [[sameGroup, after] = []] = rows();
    assert.equal(sameGroup, group);
    assert.ok(after?.length === 300 && after.every((item, index) => item === before?.[index]));
    assert.equal(after[7]?.item.label, 'Another name');
    // A change refreshes the row even if only the hover shows it.
    put(7, { title: 'Another name', updated_at: '2026-11-21T11:00:10Z' });
    assert.deepEqual(refreshed(), ['A\ns7']);
    dispose();
  });

  it('refreshes changed headings with their rows, and the whole tree if there are other headings', () => {
    const { rows, refreshed, put, ids, dispose } = treeOf(3);
    rows();
    put(1, { status: 'running' });
    assert.deepEqual(refreshed(), [undefined]);
    const shown = () => rows().map(([root, below]) => [root.key, ids(below)]);
    assert.deepEqual(shown(), [
      ['group running', ['A\ns1']],
      ['group done', ['A\ns0', 'A\ns2']],
    ]);
    assert.deepEqual(
      rows().map(([{ item }]) => item.collapsibleState),
      [vscode.TreeItemCollapsibleState.Expanded, vscode.TreeItemCollapsibleState.Collapsed],
    );
    put(2, { status: 'running' });
    assert.deepEqual(refreshed().sort(), ['group done', 'group running']);
    assert.deepEqual(shown(), [
      ['group running', ['A\ns1', 'A\ns2']],
      ['group done', ['A\ns0']],
    ]);
    dispose();
  });

  it('lists a session under one heading only, even if it is expanded before a refresh', () => {
    const { tree, rows, refreshed, put, ids, dispose } = treeOf(2);
    put(1, { status: 'running' });
    const [[running] = [], [idle] = []] = rows();
    put(0, { status: 'running' });
    assert.deepEqual([ids(tree.getChildren(running)), ids(tree.getChildren(idle))], [['A\ns1'], ['A\ns0']]);
    refreshed();
    assert.deepEqual(
      rows().map(([, below]) => ids(below)),
      [['A\ns0', 'A\ns1']],
    );
    dispose();
  });

  it('refreshes rows as time passes at most once a minute, and only those whose age changes', () => {
    const { refreshed, rows, put, wait, dispose } = treeOf(2);
    put(1, { updated_at: '2026-11-21T11:58:00Z' });
    rows();
    refreshed();
    wait(0.25);
    assert.deepEqual(refreshed(), []);
    wait(0.75);
    assert.deepEqual(refreshed(), ['A\ns1']);
    wait(60);
    assert.deepEqual(refreshed().sort(), ['A\ns0', 'A\ns1']);
    dispose();
  });

  it('shows a session with an ask in one group, and a flat list in other orders', () => {
    const { store, refreshed, rows, ids, sessionOf, dispose } = treeOf(3);
    rows();
    const ask = (...eventIds: readonly string[]) => {
      const asks = eventIds.map(eventId => ({ eventId, kind: 'confirmation' as const, tool: 'bash', input: { command: 'make' } }));
      store.facts.setLog({ connection: 'A', sessionId: 's1' }, sessionOf(1), { asks, firstWords: undefined }, eventIds.length);
    };
    ask('e1');
    assert.deepEqual(refreshed(), [undefined]);
    assert.deepEqual(
      rows().map(([root, below]) => [root.key, ids(below)]),
      [
        ['group needsYou', ['A\ns1']],
        ['group done', ['A\ns0', 'A\ns2']],
      ],
    );
    ask('e1', 'e2');
    assert.deepEqual(refreshed(), ['A\ns1']);
    assert.match(String(rows()[0]?.[1][0]?.item.description), /^bash make \(\+1\) · /);
    store.setSort('activity');
    assert.deepEqual(refreshed(), [undefined]);
    assert.deepEqual(ids(rows().map(([root]) => root)), ['A\ns0', 'A\ns1', 'A\ns2']);
    store.setSort('cost');
    assert.deepEqual(refreshed(), [undefined]);
    dispose();
  });

  it("join several sessions of one deployment in one row of their group, at the first one's position", () => {
    const { tree, refreshed, rows, put, ids, dispose } = treeOf(5);
    for (const id of [1, 3, 4]) {
      put(id, { deployment_id: id === 4 ? 'depl_2' : 'depl_1' });
    }
    const row = JSON.stringify(['done', 'A', 'depl_1']);
    const [[, below] = []] = rows();
    assert.deepEqual(ids(below ?? []), ['A\ns0', row, 'A\ns2', 'A\ns4']);
    assert.deepEqual([below?.[1]?.item.label, below?.[1]?.item.description], ['Name of depl_1', '2 sessions']);
    assert.deepEqual(ids(tree.getChildren(below?.[1])), ['A\ns1', 'A\ns3']);
    // A session with another state moves to the group of that state.
    put(3, { deployment_id: 'depl_1', status: 'running' });
    refreshed();
    assert.deepEqual(
      rows().map(([root, children]) => [root.key, ids(children)]),
      [
        ['group running', ['A\ns3']],
        ['group done', ['A\ns0', 'A\ns1', 'A\ns2', 'A\ns4']],
      ],
    );
    dispose();
  });
});
