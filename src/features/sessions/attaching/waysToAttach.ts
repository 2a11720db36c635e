import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import { type Attachable, type AttachableGroup, nameOfAttachable } from './attachableGroup';
import type { ListQuestion } from './editList';

/** Resource to attach to a session. `name` is its ID if no name is known. */
export interface Attached {
  readonly id: string;
  readonly name: string;
}

/** Texts of the questions about one group, such as memory stores or vaults. */
export interface AttachableWords {
  readonly title: string;
  /** Codicon. */
  readonly icon: string;
  /** Label of the choice from the service's list: `Add from This Service...` */
  readonly pick: string;
  /** Question of that list: `Which memory stores should the session get?` */
  readonly question: string;
  /** Label of the ID: `ID of the memory store` */
  readonly id: string;
  /** Message if the service lists none that can be added. */
  readonly none: string;
}

type Ways = ListQuestion<Attached>['ways'];

/** Returns the ways to add members of a group: several from the service's list, if it has one, and one by its ID. */
export async function waysToAttach(group: AttachableGroup, words: AttachableWords): Promise<Ways> {
  const { items, problem } = await group.members();
  const typed: Ways[number] = {
    label: `$(edit) ${vscode.l10n.t('Enter an ID...')}`,
    ask: async (_, taken) => [await askId(words, taken)],
  };
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
      value.trim() === ''
        ? t('Enter an ID')
        : /[\s\p{Cc}\p{Cf}]/u.test(value.trim())
          ? t('Remove spaces and invisible characters.')
          : taken.some(({ id }) => id === value.trim())
            ? t('Already in the list')
            : undefined,
  });
  return { id: text.trim(), name: text.trim() };
}

type MemberItem = vscode.QuickPickItem & { readonly member: Attachable };

async function pickMembers(
  members: readonly Attachable[],
  problem: unknown,
  words: AttachableWords,
  left: number,
  taken: readonly Attached[],
): Promise<readonly Attached[]> {
  const free = members.filter(({ id }) => !taken.some(one => one.id === id));
  const pick = vscode.window.createQuickPick<MemberItem>();
  pick.title = problem === undefined ? words.title : vscode.l10n.t('{0}: incomplete', words.title);
  pick.placeholder = problem !== undefined ? toLabel(describeError(problem), 200) : free.length === 0 ? words.none : words.question;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.items = free.map(member => ({
    label: `$(${words.icon}) ${withoutIcons(toLabel(nameOfAttachable(member), 80))}`,
    description: withoutIcons(toLabel(member.id, 60)),
    member,
  }));
  try {
    return await new Promise<readonly Attached[]>((resolve, reject) => {
      pick.onDidChangeSelection(chosen => {
        pick.placeholder = chosen.length > left ? vscode.l10n.t('At most {0} more', left) : words.question;
      });
      pick.onDidAccept(() => {
        if (pick.selectedItems.length <= left) {
          resolve(pick.selectedItems.map(({ member }) => ({ id: member.id, name: nameOfAttachable(member) })));
        }
      });
      pick.onDidHide(() => reject(new CancelledError()));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
