import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';

/** How a list of things is asked for, one after another. */
export interface ListQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly most: number;
  /** Label and description of a thing, which can be chosen to change it. */
  readonly row: (item: T) => { readonly label: string; readonly description: string };
  /** Ways to get more, at least one; each answers what is to be added, given how many more there may be. */
  readonly ways: readonly { readonly label: string; readonly ask: (left: number, items: readonly T[]) => Promise<readonly T[]> }[];
  /** The thing as it is changed; undefined takes it away. */
  readonly change: (item: T) => Promise<T | undefined>;
}

/** Lets the user add, change and take away things until they are done. Escape in the list is as good as Done: nothing typed is lost. */
export async function editList<T>(question: ListQuestion<T>, before: readonly T[]): Promise<readonly T[]> {
  const { title, placeholder, most, row, ways, change } = question;
  let items = before;
  const [onlyWay, ...otherWays] = ways;
  if (items.length === 0 && otherWays.length === 0 && onlyWay !== undefined) {
    // With nothing to change there is nothing else to choose. Escape leaves everything as it was.
    items = await onlyWay.ask(most, items);
  }
  for (;;) {
    const shown = items;
    const choices: readonly Choice<number | 'done' | `add ${number}`>[] = [
      { label: vscode.l10n.t('$(check) Done'), value: 'done' },
      ...(shown.length === 0 ? [] : [separator(vscode.l10n.t('Choose one to change it'))]),
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
