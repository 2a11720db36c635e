import * as vscode from 'vscode';
import { systemClock } from '../../common/clock';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import { Poller } from '../../common/poller';
import { type BatchReference, views } from '../../contributions';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connection, Connections } from '../connection/connection';
import type { EmulatorHost } from '../emulator/emulatorHost';
import { registerBatchCommands } from './batchCommands';
import { toBatchHover, toBatchPage } from './batchDetails';
import { BatchDocuments } from './batchDocuments';
import { BatchesTreeDataProvider } from './batchesTreeDataProvider';
import type { PresentationContext } from './batchPresentation';
import { BatchStore } from './batchStore';
import { BatchWatcher } from './batchWatcher';
import { registerSubmit } from './createBatch';
import { notifyEnded } from './endNotification';
import type { SubmissionRegistry } from './submissionRegistry';

export interface BatchesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** The Batches view and everything one does with a batch. */
export function registerBatches(deps: BatchesDependencies): vscode.Disposable {
  const { commands, connections, registry, log, emulator, jobs } = deps;
  const store = new BatchStore(registry);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const host = (name: string) => describeConnection(connections.find(name), name);
  const known = ({ connection, batchId }: BatchReference) =>
    store.find(connection, batchId) ?? registry.findByBatch(connection, batchId)?.batch;

  const documents = new BatchDocuments({
    page: reference => {
      const batch = known(reference);
      return (
        batch &&
        toBatchPage(batch, registry.findByBatch(reference.connection, reference.batchId), host(reference.connection), presentation())
      );
    },
    json: reference => {
      const batch = known(reference);
      return batch && `${JSON.stringify(batch, null, 2)}\n`;
    },
  });
  const tree = new BatchesTreeDataProvider(store, presentation, item =>
    toBatchHover(item.batch, item.submission, host(item.connection), presentation()),
  );
  const view = vscode.window.createTreeView(views.batches, { treeDataProvider: tree, showCollapseAll: false });

  const watcher = new BatchWatcher({
    connections,
    registry,
    store,
    isVisible: () => view.visible,
    isFocused: () => vscode.window.state.focused,
    isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
    onEnded: (submission, batch) => void notifyEnded(submission, batch, presentation()),
    warn: message => log.warn(message),
    clock: systemClock,
  });
  const poller = new Poller(signal => watcher.look(signal));
  const show = () => {
    view.message =
      store.problem !== undefined && store.state === 'filled'
        ? vscode.l10n.t('Could not refresh: {0}', describe(store.problem))
        : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    documents.refresh();
  };
  const refresh = () => {
    watcher.forgetWait();
    return poller.trigger();
  };
  let followed: string | undefined;
  const follow = () => {
    const { current } = connections;
    const address = current && `${current.name}\n${current.baseUrl}`;
    if (followed !== address) {
      followed = address;
      store.reset(current?.name);
    }
    void poller.trigger();
  };
  const created = new Set<string>();

  follow();
  return combine(
    store.onDidChange(show),
    registry.onDidChange(submission => {
      store.touch();
      if (submission.state === 'created' && !created.has(submission.id)) {
        created.add(submission.id);
        void poller.trigger();
      }
    }),
    connections.onDidChange(follow),
    emulator.onDidChange(() => void poller.trigger()),
    view.onDidChangeVisibility(({ visible }) => visible && void poller.trigger()),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && void poller.trigger()),
    view,
    documents,
    registerSubmit({ commands, log, connections, jobs, registry, onBatchChanged: (connection, batch) => store.put(connection, batch) }),
    registerBatchCommands({ commands, connections, registry, store, documents, presentation, refresh }),
    { dispose: () => poller.dispose() },
  );
}

function describeConnection(connection: Connection | undefined, name: string): { readonly name: string; readonly host: string } {
  const url = connection?.baseUrl ?? '';
  return { name, host: URL.canParse(url) ? new URL(url).host : url };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
