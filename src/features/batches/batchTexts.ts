import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { PresentationContext } from '../../common/text/presentation';
import type { BatchReference } from '../../contributions';
import { type Connections, reach } from '../connection';
import type { SubmissionRegistry } from '../ledger';
import type { BatchOrGroup } from './batchCommands';
import type { BatchTreeItem, GroupTreeItem } from './batchesTreeDataProvider';
import type { BatchStore } from './batchStore';
import { batchesOf } from './groups/groupRow';

/** Pages, JSON and hovers of batches and groups, of what this machine knows or else of what the service says. */
export function createBatchTexts(
  connections: Connections,
  registry: Pick<SubmissionRegistry, 'findByBatch'>,
  store: BatchStore,
  presentation: () => PresentationContext,
) {
  const host = (name: string) => {
    const url = connections.find(name)?.baseUrl ?? '';
    return { name, host: URL.canParse(url) ? new URL(url).host : url };
  };
  const seen = ({ connection, batchId }: BatchReference) => registry.findByBatch(connection, batchId);
  const known = (reference: BatchReference) => store.find(reference.connection, reference.batchId) ?? seen(reference)?.batch;
  const batchOf = async (reference: BatchReference) => known(reference) ?? (await retrieve(connections, reference));
  const groupOf = ({ runId }: BatchOrGroup) => (runId === undefined ? undefined : store.group(runId));
  const details = () => import('./batchDetails');
  const groups = () => import('./groups/groupPage');
  return {
    /** Whether a page can be made without asking the service. */
    isKnown: (reference: BatchOrGroup) => groupOf(reference) !== undefined || known(reference) !== undefined,
    page: async (reference: BatchOrGroup) => {
      const group = groupOf(reference);
      if (group !== undefined) {
        return (await groups()).toGroupPage(group, host(group.connection), presentation());
      }
      const batch = await batchOf(reference);
      return (await details()).toBatchPage(batch, seen(reference), host(reference.connection), presentation());
    },
    json: async (reference: BatchOrGroup) => {
      const group = groupOf(reference);
      return `${JSON.stringify(group === undefined ? await batchOf(reference) : batchesOf(group), null, 2)}\n`;
    },
    hover: async (item: BatchTreeItem | GroupTreeItem) =>
      'group' in item
        ? (await groups()).toGroupHover(item.group, host(item.connection), presentation())
        : (await details()).toBatchHover(item.batch, item.submission, host(item.connection), presentation()),
  };
}

async function retrieve(connections: Connections, { connection, batchId }: BatchReference): Promise<MessageBatch> {
  // A page that VS Code opens again was asked for long ago.
  const { client } = await reach(connections, connection, 'look');
  return (await client.batches.retrieve(batchId)).data;
}
