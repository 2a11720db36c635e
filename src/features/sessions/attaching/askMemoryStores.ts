import * as vscode from 'vscode';
import type { MemoryAccess, MemoryStoreResourceParams } from '../../../client/resources/sessions';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { join } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { type AttachableCalls, type Attached, waysToAttach } from './attachableGroup';
import { editList } from './editList';

/** Memory store to attach to a session. */
export interface AttachedStore extends Attached {
  readonly access: MemoryAccess;
  readonly instructions: string;
}

/** Limits of the service: stores per session, and characters of instructions (API facts, section 7). */
const maxStores = 8;
const longestInstructions = 4096;

/** Asks the user to choose memory stores, and the access and instructions for each. */
export async function askMemoryStores(
  title: string,
  calls: AttachableCalls,
  signal: AbortSignal,
  before: readonly AttachedStore[],
): Promise<readonly AttachedStore[]> {
  const { t } = vscode.l10n;
  const ways = await waysToAttach(calls, signal, {
    title,
    icon: 'database',
    pick: `$(add) ${t('Add Memory Stores...')}`,
    question: t('Select memory stores'),
    id: t('ID of the memory store'),
  });
  return await editList<AttachedStore>(
    {
      title,
      placeholder: t('Memory Stores'),
      most: maxStores,
      row: store => ({
        label: `$(database) ${withoutIcons(toLabel(store.name, 80))}`,
        description: withoutIcons(
          join(' · ', store.access === 'read_only' ? t('read only') : t('read and write'), toLabel(store.instructions, 60)),
        ),
      }),
      ways: ways.map(({ label, ask }) => ({
        label,
        ask: async (left, taken) => (await ask(left, taken)).map(store => ({ ...store, access: 'read_write', instructions: '' })),
      })),
      change: store => changeStore(title, store),
    },
    before,
  );
}

/** Returns a memory store in the service's format. */
export function toStoreParams({ id, access, instructions }: AttachedStore): MemoryStoreResourceParams {
  return {
    type: 'memory_store',
    memory_store_id: id,
    access,
    ...(instructions.trim() === '' ? {} : { instructions: instructions.trim() }),
  };
}

/** Describes a memory store in a list of names. Mentions read-only access, but not the default. */
export function describeStore({ name, access }: AttachedStore): string {
  return access === 'read_only' ? vscode.l10n.t('{0} (read only)', toLabel(name, 40)) : name;
}

async function changeStore(title: string, store: AttachedStore): Promise<AttachedStore | undefined> {
  const { t } = vscode.l10n;
  const chosen = await askChoice<MemoryAccess | 'instructions' | 'remove'>({
    title,
    placeholder: toLabel(store.name, 100),
    choices: [
      { label: `$(edit) ${t('Read and Write')}`, value: 'read_write' },
      { label: `$(eye) ${t('Read Only')}`, value: 'read_only' },
      {
        label: `$(comment) ${t('Instructions...')}`,
        description: withoutIcons(toLabel(store.instructions, 80)),
        detail: t('Instructions for the agent. Leave empty for none.'),
        value: 'instructions',
      },
      { label: `$(close) ${t('Remove from List')}`, value: 'remove' },
    ],
    active: store.access,
  });
  if (chosen === 'remove') {
    return undefined;
  }
  if (chosen !== 'instructions') {
    return { ...store, access: chosen };
  }
  const instructions = await askText({
    title,
    prompt: t('Instructions for the agent. Leave empty for none.'),
    value: store.instructions,
    validate: text => (text.trim().length > longestInstructions ? t('Use at most {0} characters.', longestInstructions) : undefined),
  });
  return { ...store, instructions };
}
