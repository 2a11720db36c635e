import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { defined } from '../../../shared/defined';
import { toLabel } from '../../../shared/text';

/** Options of a picker in which the user edits a list of items. */
export interface ListQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly most: number;
  /** Name of a codicon. */
  readonly icon: string;
  readonly name: (item: T) => string;
  readonly describe: (item: T) => string;
  /** Ways to add items, at least one. `ask` returns at most `left` new items. */
  readonly ways: readonly { readonly label: string; readonly ask: (left: number, items: readonly T[]) => Promise<readonly T[]> }[];
  /** Choices that change an item, each with a function that returns the new item. The `picked` choice is focused. */
  readonly changes?: (item: T) => readonly Choice<() => Promise<T>>[];
}

/** Shows a list in which the user adds, edits and removes items. Escape does the same as Done, so that no input is lost. */
export async function editList<T>(question: ListQuestion<T>, before: readonly T[]): Promise<readonly T[]> {
  const { title, placeholder, most, icon, name, describe, ways } = question;
  let items = before;
  const [onlyWay, ...otherWays] = ways;
  if (items.length === 0 && otherWays.length === 0 && onlyWay !== undefined) {
    // An empty list has nothing to edit, so the only way to add items starts directly. Escape then cancels the whole question.
    items = await onlyWay.ask(most, items);
  }
  for (;;) {
    const shown = items;
    const rows = shown.map((item, index): Choice<() => Promise<readonly T[]>> => {
      const change = async () => {
        const changed = await askChange(question, item);
        return shown.flatMap((one, at) => (at !== index ? [one] : changed === undefined ? [] : [changed]));
      };
      return { label: `$(${icon}) ${withoutIcons(toLabel(name(item), 100))}`, description: withoutIcons(describe(item)), value: change };
    });
    const additions = ways.map(({ label, ask }): Choice<() => Promise<readonly T[]>> => {
      const add = async () => [...shown, ...(await ask(most - shown.length, shown))].slice(0, most);
      return { label, alwaysShow: true, value: add };
    });
    const choices: readonly Choice<'done' | (() => Promise<readonly T[]>)>[] = [
      { label: `$(check) ${vscode.l10n.t('Done')}`, value: 'done' },
      ...(rows.length === 0 ? [] : [separator('')]),
      ...rows,
      separator(''),
      ...(shown.length < most ? additions : [separator(vscode.l10n.t('At most {0}', most))]),
    ];
    const active = (shown.length === 0 ? additions[0]?.value : undefined) ?? 'done';
    const chosen = await unlessCancelled('done' as const, () => askChoice({ title, placeholder, choices, active }));
    if (chosen === 'done') {
      return shown;
    }
    items = await unlessCancelled(shown, chosen);
  }
}

/** Asks how to change an item. Returns the new item, or `undefined` to remove it. */
async function askChange<T>({ title, name, changes }: ListQuestion<T>, item: T): Promise<T | undefined> {
  const others = changes?.(item) ?? [];
  const change = await askChoice<() => Promise<T | undefined>>({
    title,
    placeholder: toLabel(name(item), 100),
    choices: [...others, { label: `$(close) ${vscode.l10n.t('Remove from List')}`, value: async () => undefined }],
    ...defined({ active: others.find(({ picked }) => picked)?.value }),
  });
  return await change();
}
