import * as vscode from 'vscode';
import type { MemoryAccess, MemoryStoreResourceParams } from '../../../client/resources/sessions';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { listAll } from '../../../client/transport/pagination';
import { askChoices, askText, type Choice } from '../../../common/asking/askSteps';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';
import { describeWordProblem } from './askRepository';
import { editList, type ListQuestion } from './editList';

/** Memory store or vault, with the fields that attaching needs. */
export interface Attachable {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** API of one group, such as memory stores or vaults. */
interface AttachableCalls {
  list(options?: ListOptions): Promise<Page<Attachable>>;
}

/** Resource to attach to a session. `name` is its ID if no name is known. */
export interface Attached {
  readonly id: string;
  readonly name: string;
}

/** Memory store to attach to a session. */
export interface AttachedStore extends Attached {
  readonly access: MemoryAccess;
  readonly instructions: string;
}

/** Maximum number of vaults, so that the list stays readable. The service has no documented limit. */
const maxVaults = 50;
/** Limits of the service: stores per session, and characters of instructions (API facts, section 7). */
const maxStores = 8;
const longestInstructions = 4096;

/** Asks the user to choose vaults whose credentials the session may use. */
export async function askVaults(
  title: string,
  calls: AttachableCalls,
  signal: AbortSignal,
  before: readonly Attached[],
): Promise<readonly Attached[]> {
  const { t } = vscode.l10n;
  const list = { title, placeholder: t('Vaults'), most: maxVaults, icon: 'lock', name: nameOfAttachable };
  const describe = ({ id, name }: Attached) => (name === id ? '' : toLabel(id, 60));
  const words = { pick: t('Add Vaults...'), question: t('Select vaults'), id: t('ID of the vault') };
  return await editList({ ...list, describe, ways: await waysToAttach(calls, signal, list, words) }, before);
}

/** Asks the user to choose memory stores, and the access and instructions for each. */
export async function askMemoryStores(
  title: string,
  calls: AttachableCalls,
  signal: AbortSignal,
  before: readonly AttachedStore[],
): Promise<readonly AttachedStore[]> {
  const { t } = vscode.l10n;
  const list = { title, placeholder: t('Memory Stores'), most: maxStores, icon: 'database', name: nameOfAttachable };
  const words = { pick: t('Add Memory Stores...'), question: t('Select memory stores'), id: t('ID of the memory store') };
  const ways = await waysToAttach(calls, signal, list, words);
  return await editList<AttachedStore>(
    {
      ...list,
      describe: store => join(' · ', store.access === 'read_only' ? t('read only') : t('read and write'), toLabel(store.instructions, 60)),
      ways: ways.map(({ label, ask }) => ({
        label,
        ask: async (left, taken) => (await ask(left, taken)).map(store => ({ ...store, access: 'read_write', instructions: '' })),
      })),
      changes: store => [
        toAccess(store, 'read_write', `$(edit) ${t('Read and Write')}`),
        toAccess(store, 'read_only', `$(eye) ${t('Read Only')}`),
        {
          label: `$(comment) ${t('Instructions...')}`,
          description: withoutIcons(toLabel(store.instructions, 80)),
          detail: t('Instructions for the agent. Leave empty for none.'),
          value: async () => ({ ...store, instructions: await askInstructions(title, store.instructions) }),
        },
      ],
    },
    before,
  );
}

function toAccess(store: AttachedStore, access: MemoryAccess, label: string): Choice<() => Promise<AttachedStore>> {
  return { label, picked: store.access === access, value: async () => ({ ...store, access }) };
}

async function askInstructions(title: string, value: string): Promise<string> {
  const { t } = vscode.l10n;
  return await askText({
    ...{ title, value, prompt: t('Instructions for the agent. Leave empty for none.') },
    validate: text => (text.trim().length > longestInstructions ? t('Use at most {0} characters.', longestInstructions) : undefined),
  });
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

/** Reads the members of a group that are not archived. Never rejects. `problem` is the error that left the list incomplete. */
export async function readMembers(
  calls: AttachableCalls,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Attachable[]; readonly problem: unknown }> {
  const items: Attachable[] = [];
  try {
    for await (const member of listAll(options => calls.list(options), { limit: 100, maxPages: 10, signal })) {
      if (!member.archived_at) {
        items.push(member);
      }
    }
    return { items, problem: undefined };
  } catch (error) {
    return { items, problem: error };
  }
}

/** Returns the name of a member, or its ID if the member has no name. */
export function nameOfAttachable({ id, name, display_name }: Attachable): string {
  return name?.trim() || display_name?.trim() || id;
}

/** Returns the ways to add members. The user can enter IDs, and select from the service's list if there is one. */
async function waysToAttach(
  calls: AttachableCalls,
  signal: AbortSignal,
  { title, icon }: Pick<ListQuestion<Attached>, 'title' | 'icon'>,
  words: { readonly pick: string; readonly question: string; readonly id: string },
): Promise<ListQuestion<Attached>['ways']> {
  const { t } = vscode.l10n;
  const { items, problem } = await readMembers(calls, signal);
  const isTaken = (id: string, taken: readonly Attached[]) => taken.some(one => one.id === id);
  const pick: ListQuestion<Attached>['ways'][number]['ask'] = async (left, taken) => {
    const free = items.filter(({ id }) => !isTaken(id, taken));
    return await askChoices<Attached>({
      title: problem === undefined ? title : t('{0}: incomplete', title),
      placeholder:
        problem !== undefined ? toLabel(describeError(problem), 200) : free.length === 0 ? t('No other options') : words.question,
      choices: free.map(member => ({
        label: `$(${icon}) ${withoutIcons(toLabel(nameOfAttachable(member), 80))}`,
        description: withoutIcons(toLabel(member.id, 60)),
        value: { id: member.id, name: nameOfAttachable(member) },
      })),
      ticked: [],
      validate: chosen => (chosen.length > left ? t('At most {0} more', left) : undefined),
    });
  };
  const type: typeof pick = async (_, taken) => {
    const text = await askText({
      title,
      prompt: words.id,
      validate: value =>
        isTaken(value.trim(), taken) ? t('Already in the list') : describeWordProblem(value, t('Enter an ID'), Number.POSITIVE_INFINITY, t),
    });
    return [{ id: text.trim(), name: text.trim() }];
  };
  return [
    ...(items.length === 0 && problem === undefined ? [] : [{ label: `$(add) ${words.pick}`, ask: pick }]),
    { label: `$(edit) ${t('Enter ID...')}`, ask: type },
  ];
}
