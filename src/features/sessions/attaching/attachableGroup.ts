import * as vscode from 'vscode';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { listAll } from '../../../client/transport/pagination';
import { askChoices, askText } from '../../../common/asking/askSteps';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { describeWordProblem } from './askRepository';
import type { ListQuestion } from './editList';

/** Memory store or vault, with the fields that attaching needs. */
export interface Attachable {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** API of one group, such as memory stores or vaults. */
export interface AttachableCalls {
  list(options?: ListOptions): Promise<Page<Attachable>>;
}

/** Attachable members of a group. `problem` is the error that left the list incomplete. */
export interface Members {
  readonly items: readonly Attachable[];
  readonly problem: unknown;
}

const pages = { limit: 100, maxPages: 10 };

/** Reads the members of a group that are not archived. Never rejects. */
export async function readMembers(calls: AttachableCalls, signal: AbortSignal): Promise<Members> {
  const items: Attachable[] = [];
  try {
    for await (const member of listAll(options => calls.list(options), { ...pages, signal })) {
      if (!member.archived_at) {
        items.push(member);
      }
    }
    return { items, problem: undefined };
  } catch (error) {
    return { items, problem: error };
  }
}

/** Returns the name of a member, or its ID if it has none. */
export function nameOfAttachable({ id, name, display_name }: Attachable): string {
  return name?.trim() || display_name?.trim() || id;
}

/** Resource to attach to a session. `name` is its ID if no name is known. */
export interface Attached {
  readonly id: string;
  readonly name: string;
}

/** Texts of the questions about one group, such as memory stores or vaults. */
interface AttachableWords {
  readonly title: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly pick: string;
  readonly question: string;
  readonly id: string;
}

type Ways = ListQuestion<Attached>['ways'];

/** Returns the ways to add members: by selection from the service's list, if it has one, and by ID. */
export async function waysToAttach(calls: AttachableCalls, signal: AbortSignal, words: AttachableWords): Promise<Ways> {
  const { items, problem } = await readMembers(calls, signal);
  const typed: Ways[number] = { label: `$(edit) ${vscode.l10n.t('Enter an ID...')}`, ask: async (_, taken) => [await askId(words, taken)] };
  if (items.length === 0 && problem === undefined) {
    return [typed];
  }
  return [{ label: words.pick, ask: async (left, taken) => pickMembers(items, problem, words, left, taken) }, typed];
}

async function askId(words: AttachableWords, taken: readonly Attached[]): Promise<Attached> {
  const { t } = vscode.l10n;
  const text = await askText({
    title: words.title,
    prompt: words.id,
    validate: value =>
      taken.some(({ id }) => id === value.trim())
        ? t('Already in the list')
        : describeWordProblem(value, t('Enter an ID'), Number.POSITIVE_INFINITY, t),
  });
  return { id: text.trim(), name: text.trim() };
}

async function pickMembers(
  members: readonly Attachable[],
  problem: unknown,
  words: AttachableWords,
  left: number,
  taken: readonly Attached[],
): Promise<readonly Attached[]> {
  const { t } = vscode.l10n;
  const free = members.filter(({ id }) => !taken.some(one => one.id === id));
  return await askChoices<Attached>({
    title: problem === undefined ? words.title : t('{0}: incomplete', words.title),
    placeholder: problem !== undefined ? toLabel(describeError(problem), 200) : free.length === 0 ? t('No other options') : words.question,
    choices: free.map(member => ({
      label: `$(${words.icon}) ${withoutIcons(toLabel(nameOfAttachable(member), 80))}`,
      description: withoutIcons(toLabel(member.id, 60)),
      value: { id: member.id, name: nameOfAttachable(member) },
    })),
    ticked: [],
    validate: chosen => (chosen.length > left ? t('At most {0} more', left) : undefined),
  });
}
