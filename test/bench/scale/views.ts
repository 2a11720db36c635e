// The stores and trees of the views, filled with any number of rows.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent } from '../../../src/client/resources/agents';
import type { MessageBatch } from '../../../src/client/resources/messageBatches';
import type { Session } from '../../../src/client/resources/sessions';
import type { Page } from '../../../src/client/transport/callResult';
import type { NodeTree } from '../../../src/common/tree/nodeTree';
import type { TreeNode } from '../../../src/common/tree/treeNode';
import { createBatchesTree } from '../../../src/features/batches/batchesView';
import { BatchStore } from '../../../src/features/batches/batchStore';
import type { SubmissionRegistry } from '../../../src/features/ledger';
import { Drafts } from '../../../src/features/resources/definitions/drafts';
import { agents } from '../../../src/features/resources/kinds/agents';
import { environments } from '../../../src/features/resources/kinds/environments';
import type { ListSurroundings } from '../../../src/features/resources/lists/resourceList';
import type { ResourceKind } from '../../../src/features/resources/resourceKind';
import { ResourceStore } from '../../../src/features/resources/resourceStore';
import { createResourcesTree } from '../../../src/features/resources/resourcesTreeDataProvider';
import { SessionStore } from '../../../src/features/sessions/list/sessionStore';
import { SessionsDrawing } from '../../../src/features/sessions/list/sessionsPicture';
import { createSessionsTree } from '../../../src/features/sessions/list/sessionsTreeDataProvider';
import { batchOf, connection } from './ledgerOnDisk';
import { TreeWindow } from './treeWindow';

/** A view as this bench controls it. Rows are identified by their index in the service's list, newest first. */
export interface View {
  readonly window: TreeWindow<never>;
  /** Loads the first page. */
  first(rows: number): void;
  /** Loads a further page. */
  more(first: number, rows: number): Promise<void>;
  /** Changes a row. */
  change(row: number, turn: number): void;
  /** Refreshes the rows whose content changed. */
  refresh(): void;
}

/** A clock that is advanced by hand. */
export const clock = {
  at: Date.parse('2026-11-21T12:00:00Z'),
  now: () => clock.at,
  monotonic: () => clock.at,
};

const translate = (text: string, ...values: readonly unknown[]) =>
  text.replace(/\{(\d+)\}/g, (_, place: string) => String(values[Number(place)]));
export const context = () => ({ translate, locale: 'en', now: clock.at });

const timeOf = (row: number) => new Date(clock.at - row * 60_000).toISOString();
const page = <T>(make: (row: number) => T, first: number, rows: number): Page<T> => ({
  items: Array.from({ length: rows }, (_, index) => make(first + index)),
  nextCursor: `after ${first + rows}`,
  requestId: undefined,
});
const windowOf = <Row extends object>(tree: NodeTree<Row>, isUnfolded = ({ item }: TreeNode<Row>) => item.collapsibleState !== 0) =>
  new TreeWindow<TreeNode<Row>>(
    { onDidChangeTreeData: tree.onDidChangeTreeData, getTreeItem: ({ item }) => item, getChildren: parent => tree.getChildren(parent) },
    isUnfolded,
  );
const asWindow = <T extends object>(window: TreeWindow<T>) => window as unknown as TreeWindow<never>;

export function batchesView(registry: Pick<SubmissionRegistry, 'all' | 'findByBatch'>): View & { readonly store: BatchStore } {
  const store = new BatchStore(registry);
  const tree = createBatchesTree(store, context, async () => '');
  store.reset(connection);
  return {
    store,
    window: asWindow(windowOf(tree)),
    first: rows =>
      store.acceptFirstPage(
        connection,
        page(row => batchOf(row, clock.at), 0, rows),
      ),
    more: (first, rows) => store.loadMore(async () => page(row => batchOf(row, clock.at), first, rows)),
    change: (row, turn) => store.put(connection, changedBatch(row, turn)),
    refresh: () => tree.refresh(),
  };
}

export function changedBatch(row: number, turn: number): MessageBatch {
  const batch = batchOf(row, clock.at);
  return { ...batch, request_counts: { ...batch.request_counts, errored: 10 + turn } };
}

export function sessionsView(): View {
  const store = new SessionStore({ ...clock }, () => []);
  const tree = createSessionsTree(store, context, async () => '', { nameOf: ({ deployment }) => `Name of ${deployment}` });
  const drawing = new SessionsDrawing(store, { isFilteredHere: false }, context, {
    show: () => {},
    drawRows: () => tree.refresh(),
  });
  store.reset(connection);
  const sessionOf = (row: number, turn = 0): Session => ({
    id: `sesn_${row}`,
    type: 'session',
    status: row % 100 === 3 ? 'running' : 'idle',
    title: turn === 0 ? `Session ${row}` : `Session ${row}, ${turn}`,
    created_at: timeOf(row),
    updated_at: timeOf(row),
  });
  return {
    window: asWindow(windowOf(tree)),
    first: rows => store.acceptFirstPage(store.list.scope ?? '', page(sessionOf, 0, rows), clock.at),
    more: (first, rows) => store.loadMore(async () => page(sessionOf, first, rows)),
    change: (row, turn) => store.put(connection, sessionOf(row, turn)),
    refresh: () => drawing.draw(),
  };
}

export function agentsView(): View {
  const { tree, own } = resourcesTree(agents, true);
  const { list } = own;
  const agentOf = (row: number, turn = 0) =>
    ({
      id: `agent_${row}`,
      type: 'agent',
      name: `Agent ${row}`,
      version: turn + 1,
      model: 'model-large',
      created_at: timeOf(row),
      updated_at: timeOf(row),
    }) as unknown as Agent;
  return {
    window: asWindow(windowOf(tree, () => false)),
    first: rows => {
      list.acceptFirstPage(connection, page(agentOf, 0, rows));
      void own.unfold();
    },
    more: (first, rows) => list.loadMore(async () => page(agentOf, first, rows)),
    change: (row, turn) => list.put(connection, agentOf(row, turn)),
    refresh: () => tree.refresh(),
  };
}

function resourcesTree(kind: ResourceKind, isFlat: boolean) {
  const store = new ResourceStore([kind], { clock, isShown: () => false } as unknown as ListSurroundings);
  const drafts = new Drafts(mkdtempSync(path.join(tmpdir(), 'bench-drafts-')));
  const tree = createResourcesTree({ store, drafts, context, isReady: () => true, isFlat });
  store.reset(connection);
  return { tree, own: store.listOf(connection, kind) };
}

export function resourcesView(): View {
  const { tree, own } = resourcesTree(environments, false);
  const { list } = own;
  const environmentOf = (row: number, turn = 0) => ({
    id: `env_${row}`,
    type: 'environment',
    name: turn === 0 ? `Environment ${row}` : `Environment ${row}, ${turn}`,
    created_at: timeOf(row),
    updated_at: timeOf(row),
  });
  return {
    window: asWindow(windowOf(tree, ({ row }) => row.id === undefined)),
    first: rows => {
      list.acceptFirstPage(connection, page(environmentOf, 0, rows));
      void own.unfold();
    },
    more: (first, rows) => list.loadMore(async () => page(environmentOf, first, rows)),
    change: (row, turn) => list.put(connection, environmentOf(row, turn)),
    refresh: () => tree.refresh(),
  };
}
