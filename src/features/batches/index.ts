import * as vscode from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { CommandRegistry } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import { Gathered } from '../../common/lists/gathered';
import type { Log } from '../../common/log';
import type { PresentationContext } from '../../common/text/presentation';
import { type BatchReference, views } from '../../contributions';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import { type Connection, type Connections, refuseUntrusted } from '../connection';
import type { EmulatorHost } from '../emulator';
import { followMoves, type SubmissionRegistry } from '../ledger';
import type { RuleSettings } from '../requests';
import { type BatchOrGroup, choose, registerBatchCommands } from './batchCommands';
import { BatchDocuments } from './batchDocuments';
import { BatchesTreeDataProvider } from './batchesTreeDataProvider';
import { presentListingProblem } from './batchPresentation';
import { BatchStore } from './batchStore';
import { registerResultsCommands } from './fetching/resultsCommands';
import { batchesOf } from './groups/groupRow';
import { registerSubmitCommands } from './submitting/submitCommands';

/** How a user says which run is meant; loaded when first used. */
export const loadRunChoice = () => import('./chooseRun');

export interface BatchesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly emulator: EmulatorHost;
  readonly jobs: JsonlJobs;
  readonly registry: SubmissionRegistry;
}

/** The Batches view and everything one does with a batch. */
export function registerBatches(deps: BatchesDependencies): vscode.Disposable {
  const { context, commands, connections, rules, registry, log, emulator, jobs } = deps;
  const store = new BatchStore(registry);
  const presentation = (): PresentationContext => ({ translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() });
  const host = (name: string) => describeConnection(connections.find(name), name);
  const seen = ({ connection, batchId }: BatchReference) => registry.findByBatch(connection, batchId);
  const known = (reference: BatchReference) => store.find(reference.connection, reference.batchId) ?? seen(reference)?.batch;
  const batchOf = async (reference: BatchReference) => known(reference) ?? (await retrieve(connections, reference));

  const details = () => import('./batchDetails');
  const groupOf = ({ runId }: BatchOrGroup) => (runId === undefined ? undefined : store.group(runId));
  const documents = new BatchDocuments({
    page: async reference => {
      const group = groupOf(reference);
      if (group !== undefined) {
        return (await import('./groups/groupPage')).toGroupPage(group, host(group.connection), presentation());
      }
      const batch = await batchOf(reference);
      return (await details()).toBatchPage(batch, seen(reference), host(reference.connection), presentation());
    },
    json: async reference => {
      const group = groupOf(reference);
      return `${JSON.stringify(group === undefined ? await batchOf(reference) : batchesOf(group), null, 2)}\n`;
    },
  });
  const tree = new BatchesTreeDataProvider(store, presentation, async item =>
    'group' in item
      ? (await import('./groups/groupPage')).toGroupHover(item.group, host(item.connection), presentation())
      : (await details()).toBatchHover(item.batch, item.submission, host(item.connection), presentation()),
  );
  const view = vscode.window.createTreeView(views.batches, { treeDataProvider: tree, showCollapseAll: false });

  const watching = new Lazy(async () =>
    (await import('./watching/watchBatches')).watchBatches({
      log,
      connections,
      jobs,
      registry,
      store,
      view,
      isReachable: connection => !connection.isEmulator || emulator.running !== undefined,
      presentation,
      redraw: () => tree.refresh(),
    }),
  );
  const show = () => {
    view.message = store.state === 'filled' ? presentListingProblem(store, vscode.l10n.t) : undefined;
    setContextKey('managedAgents.batchesState', store.state);
    tree.refresh();
    documents.refresh(reference => groupOf(reference) !== undefined || known(reference) !== undefined);
  };
  const refresh = async () => (await watching.get()).refresh();
  const lookAnew = () => watching.current?.lookAnew();
  let followed: string | undefined;
  const follow = () => {
    const { current, access } = connections;
    if (followed !== access) {
      followed = access;
      store.reset(current?.name);
    }
    lookAnew();
  };
  const followRenames = async ({ files }: vscode.FileRenameEvent) => {
    const place = (uri: vscode.Uri) => uri.toString().replace(/\/$/, '');
    const moves = files.map(({ oldUri, newUri }) => ({
      from: place(oldUri),
      to: place(newUri),
      fromPath: oldUri.fsPath,
      toPath: newUri.fsPath,
    }));
    await followMoves(registry, moves);
  };
  const created = new Set<string>();
  let isNew = false;
  const touched = new Gathered(() => {
    store.touch();
    if (isNew) {
      isNew = false;
      watching.current?.look();
    }
  });
  const onBatchChanged = (connection: string, batch: MessageBatch) => store.put(connection, batch);

  follow();
  watching.get().catch(error => log.error('Batches are not looked after', error));
  return combine(
    store.onDidChange(show),
    registry.onDidChange(submission => {
      touched.ask();
      if (submission.state === 'created' && !created.has(submission.id)) {
        created.add(submission.id);
        isNew = true;
      }
    }),
    touched,
    vscode.workspace.onDidRenameFiles(event =>
      followRenames(event).catch(error => log.error('The submissions of a renamed file could not be changed', error)),
    ),
    connections.onDidChange(follow),
    emulator.onDidChange(lookAnew),
    view,
    documents,
    registerSubmitCommands({ commands, log, connections, jobs, registry, onBatchChanged, rules, extension: context.extensionUri }),
    registerResultsCommands({
      commands,
      log,
      connections,
      jobs,
      registry,
      onBatchChanged,
      pickBatch: (ability, question) => choose({ store, presentation, refresh }, undefined, ability, question),
    }),
    registerBatchCommands({ commands, connections, registry, store, documents, presentation, refresh }),
    watching,
  );
}

async function retrieve(connections: Connections, { connection: name, batchId }: BatchReference): Promise<MessageBatch> {
  // A page that VS Code opens again was asked for long ago.
  refuseUntrusted('look');
  await connections.whenKnown;
  const connection = connections.find(name);
  if (connection === undefined) {
    throw new Error(vscode.l10n.t('The connection {0} of this batch no longer exists. Add it again to reach the batch.', name));
  }
  const client = await connections.client(connection, 'look');
  return (await client.batches.retrieve(batchId)).data;
}

function describeConnection(connection: Connection | undefined, name: string): { readonly name: string; readonly host: string } {
  const url = connection?.baseUrl ?? '';
  return { name, host: URL.canParse(url) ? new URL(url).host : url };
}
