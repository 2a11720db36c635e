import * as vscode from 'vscode';
import { toLabel } from '../../shared/text';
import { toListingState } from '../lists/pagedList';
import { describeError } from '../text/describeError';
import type { RowPresentation } from '../text/presentation';
import { withoutIcons } from '../text/withoutIcons';
import { type Choice, separator, showInput } from './askSteps';
import { onlyOf } from './nothingToDo';

export interface ListedQuestion<T> {
  readonly title: string;
  readonly placeholder?: string;
  /** Returns the message for a list without matching members. */
  none(): string;
  /** Returns the matching members read so far. */
  choices(): readonly Choice<T>[];
  readonly list: { readonly isListed: boolean; readonly hasMore: boolean; readonly problem: unknown; readonly moreProblem: unknown };
  /** Reads the first or the next page. Failures are stored in the list. */
  read(): Promise<void>;
  /** True if typing searches all pages. Pages that were not read yet are then loaded. */
  readonly searchesAll?: boolean;
  /** Choice that is focused initially. */
  readonly active?: T;
  /** True if the user may mean an unlisted member, such as an archived resource. The user is then asked even about a list of one member. */
  readonly mayBeUnlisted?: boolean;
  /** Returns a member by the ID that the user typed. */
  byId?(id: string): T;
}

type Item<T> = Choice<T> & { readonly isMore?: true };

/**
 * Asks the user to choose a listed member, load further pages, or type an ID. Reads the first page if necessary. If the whole list was read
 * and has only one member, returns that member without asking. Throws a `NothingToDoError` if the list has no member, and a
 * `CancelledError` if the user chooses nothing.
 */
export async function pickListed<T>(question: ListedQuestion<T>): Promise<T> {
  const { list } = question;
  const only = onlyMember(question);
  if (only !== undefined) {
    return only;
  }
  const pick = vscode.window.createQuickPick<Item<T>>();
  pick.placeholder = question.placeholder ?? (question.byId === undefined ? '' : vscode.l10n.t('Select one, or enter its ID'));
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const draw = () => {
    const [active] = pick.activeItems;
    pick.items = itemsOf(question, pick.value.trim());
    const again = pick.items.find(({ label, detail }) => active !== undefined && label === active.label && detail === active.detail);
    if (again !== undefined) {
      pick.activeItems = [again];
    }
  };
  let isOpen = true;
  const asking = showInput<T>(pick, question, (resolve, reject) => {
    const read = async () => {
      pick.busy = true;
      // The list stores the failure, and a row of the list shows it.
      await question.read().catch(() => undefined);
      pick.busy = false;
      if (!isOpen) {
        return;
      }
      draw();
      try {
        const found = pick.value === '' ? onlyMember(question) : undefined;
        if (found !== undefined) {
          resolve(found);
        }
      } catch (error) {
        reject(error);
      }
    };
    const readAll = async () => {
      draw();
      while (!pick.busy && isOpen && (!list.isListed || list.hasMore) && (list.moreProblem ?? list.problem) === undefined) {
        await read();
      }
    };
    draw();
    if (question.active !== undefined) {
      pick.activeItems = pick.items.filter(({ value }) => value === question.active);
    }
    if (!list.isListed) {
      void read();
    }
    return [
      pick.onDidChangeValue(text => (question.searchesAll === true && text !== '' ? void readAll() : draw())),
      pick.onDidAccept(() => {
        const [choice] = pick.selectedItems;
        if (choice?.isMore === true) {
          void read();
        } else if (choice?.value !== undefined) {
          resolve(choice.value);
        }
      }),
    ];
  });
  return await asking.finally(() => {
    isOpen = false;
  });
}

/** Returns the only member of a list that was read to its end. Throws a `NothingToDoError` for an empty list. */
function onlyMember<T>(question: ListedQuestion<T>): T | undefined {
  const { list } = question;
  const problem = list.moreProblem ?? list.problem;
  const isWhole = problem === undefined ? list.isListed && !list.hasMore : toListingState(problem) === 'unsupported';
  if (!isWhole) {
    return undefined;
  }
  const members = question.choices().flatMap(({ value }) => (value === undefined ? [] : [value]));
  const only = onlyOf(members, question.none());
  return question.mayBeUnlisted === true ? undefined : only;
}

export function toChoice<T>({ label, icon, description }: RowPresentation, id: string, value: T): Choice<T> {
  return {
    label: `$(${icon.replace('~spin', '')}) ${withoutIcons(label)}`,
    description: withoutIcons(description),
    detail: withoutIcons(toLabel(id, 200)),
    value,
  };
}

function itemsOf<T>(question: ListedQuestion<T>, typed: string): readonly Item<T>[] {
  const { list, byId } = question;
  const listed = question.choices();
  const problem = list.moreProblem ?? list.problem;
  const failed = `$(warning) ${vscode.l10n.t("Couldn't load more. Try again")}`;
  const more: readonly Item<T>[] =
    problem !== undefined && toListingState(problem) !== 'unsupported'
      ? [{ label: failed, detail: toLabel(describeError(problem), 200), isMore: true, alwaysShow: true }]
      : list.hasMore
        ? [{ label: `$(ellipsis) ${vscode.l10n.t('Load More')}`, isMore: true, alwaysShow: true }]
        : [];
  // An ID is a single word. Text that matches a row is a search.
  const found = (text = '') => text.toLowerCase().includes(typed.toLowerCase());
  const isId = /^\S{4,}$/.test(typed) && !listed.some(({ label, description, detail }) => [label, description, detail].some(found));
  const use = vscode.l10n.t('Use the ID {0}', withoutIcons(toLabel(typed, 100)));
  const ids: readonly Item<T>[] =
    isId && byId !== undefined ? [{ label: `$(key) ${use}`, value: byId.call(question, typed), alwaysShow: true }] : [];
  const isRead = list.isListed || problem !== undefined;
  const hasNone = isRead && listed.every(({ value }) => value === undefined) && more.length === 0;
  return [...(hasNone ? [separator(question.none())] : []), ...listed, ...more, ...ids];
}
