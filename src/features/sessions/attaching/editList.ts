import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';

/** Picker in which the user edits a list of items. */
export interface ListQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly most: number;
  readonly row: (item: T) => { readonly label: string; readonly description: string };
  /** Ways to add items, at least one. `ask` returns at most `left` new items. */
  readonly ways: readonly { readonly label: string; readonly ask: (left: number, items: readonly T[]) => Promise<readonly T[]> }[];
  /** Asks for changes to an item. Returns the new item, or `undefined` to remove it. */
  readonly change: (item: T) => Promise<T | undefined>;
}

/** Shows a list in which the user adds, edits and removes items. Escape does the same as Done, so that no input is lost. */
export async function editList<T>(question: ListQuestion<T>, before: readonly T[]): Promise<readonly T[]> {
  const { title, placeholder, most, row, ways, change } = question;
  let items = before;
  const [onlyWay, ...otherWays] = ways;
  if (items.length === 0 && otherWays.length === 0 && onlyWay !== undefined) {
    // An empty list has nothing to edit, so the only way to add items starts directly. Escape then cancels the whole question.
    items = await onlyWay.ask(most, items);
  }
  for (;;) {
    const shown = items;
    const choices: readonly Choice<number | 'done' | `add ${number}`>[] = [
      { label: `$(check) ${vscode.l10n.t('Done')}`, value: 'done' },
      ...(shown.length === 0 ? [] : [separator('')]),
      ...shown.map((item, value) => ({ ...row(item), value })),
      separator(''),
      ...(shown.length < most
        ? ways.map(({ label }, at) => ({ label, alwaysShow: true, value: `add ${at}` as const }))
        : [separator(vscode.l10n.t('At most {0}', most))]),
    ];
    const active = shown.length === 0 ? 'add 0' : 'done';
    const chosen = await unlessCancelled('done' as const, () => askChoice({ title, placeholder, choices, active }));
    if (chosen === 'done') {
      return shown;
    }
    items = await unlessCancelled(shown, async () => {
      if (typeof chosen === 'string') {
        const way = ways[Number(chosen.slice('add '.length))];
        return [...shown, ...((await way?.ask(most - shown.length, shown)) ?? [])].slice(0, most);
      }
      const item = shown[chosen];
      const changed = item === undefined ? undefined : await change(item);
      return shown.flatMap((one, at) => (at !== chosen ? [one] : changed === undefined ? [] : [changed]));
    });
  }
}
