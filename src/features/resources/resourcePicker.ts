import * as vscode from 'vscode';
import { askChoice } from '../../common/asking/askSteps';
import { CancelledError } from '../../common/cancellation';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { waysTo } from './kinds';
import type { Resource, ResourceKind } from './resourceKind';
import type { ResourceList } from './resourceList';
import type { ResourceStore } from './resourceStore';
import type { Service } from './service';

interface PickerFlow {
  readonly service: Service;
  readonly store: ResourceStore;
  readonly presentation: () => PresentationContext;
}

type Choice = vscode.QuickPickItem & { readonly chosenId?: string; readonly isMore?: boolean };

/**
 * Lets the user choose a thing of one of these kinds that has an ability: from what is listed, from further pages, or by an id that is
 * typed. What stands below another thing is asked for after that one. Throws a `CancelledError` without a choice.
 */
export async function pickReference(
  flow: PickerFlow,
  connection: string,
  fitting: readonly ResourceKind[],
  question: (kind: ResourceKind) => string,
  ability: string,
): Promise<Reference> {
  const kind = await pickKind(flow, fitting);
  const way = waysTo.get(kind.kind) ?? [kind];
  let parent: Reference | undefined;
  for (const step of way) {
    const isLast = step === way.at(-1);
    const placeholder = isLast ? question(step) : step.texts(flow.presentation().translate).choose;
    const below = way[way.indexOf(step) + 1];
    const fits = (value: Resource) =>
      isLast
        ? step.row(value, flow.presentation()).abilities.split(' ').includes(ability)
        : (step.children?.(value) ?? []).some(({ kind: name }) => name === below?.kind);
    const id = await pickOne(flow, flow.store.listOf(connection, step, parent), placeholder, fits);
    parent = { connection, kind: step.kind, id, ...(parent === undefined ? {} : { parent }) };
  }
  if (parent === undefined) {
    throw new CancelledError();
  }
  return parent;
}

async function pickKind({ presentation }: PickerFlow, fitting: readonly ResourceKind[]): Promise<ResourceKind> {
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw new CancelledError();
  }
  if (others.length === 0) {
    return only;
  }
  const choices = fitting.map(kind => ({ label: `$(${kind.icon}) ${kind.texts(presentation().translate).title}`, value: kind }));
  return await askChoice({ title: vscode.l10n.t('Resources'), placeholder: vscode.l10n.t('Of which kind?'), choices });
}

async function pickOne(flow: PickerFlow, list: ResourceList, placeholder: string, fits: (value: Resource) => boolean): Promise<string> {
  const pick = vscode.window.createQuickPick<Choice>();
  const listeners: vscode.Disposable[] = [];
  pick.placeholder = placeholder;
  pick.title = list.kind.texts(flow.presentation().translate).title;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  const draw = () => {
    pick.items = itemsOf(flow, list, fits, pick.value.trim());
  };
  const reading = async (work: () => Promise<void>) => {
    pick.busy = true;
    try {
      await work();
    } catch {
      // The list keeps what failed, and the row for it says so.
    } finally {
      pick.busy = false;
      draw();
    }
  };
  const reach = async () => (await flow.service.reach(list.connection, 'user')).client;
  try {
    return await new Promise<string>((resolve, reject) => {
      listeners.push(
        pick.onDidHide(() => reject(new CancelledError())),
        pick.onDidChangeValue(draw),
        pick.onDidAccept(() => {
          const [choice] = pick.selectedItems;
          if (choice?.isMore === true) {
            void reading(async () => (list.list.isListed ? list.loadMore(await reach()) : list.readFirst(await reach())));
          } else if (choice?.chosenId !== undefined) {
            resolve(choice.chosenId);
          }
        }),
      );
      pick.show();
      draw();
      if (!list.list.isListed) {
        void reading(async () => list.readFirst(await reach()));
      }
    });
  } finally {
    for (const listener of listeners) {
      listener.dispose();
    }
    pick.dispose();
  }
}

function itemsOf(flow: PickerFlow, { kind, list }: ResourceList, fits: (value: Resource) => boolean, typed: string): readonly Choice[] {
  const context = flow.presentation();
  const listed = list.items.filter(fits).map(value => {
    const row = kind.row(value, context);
    return {
      label: `$(${row.icon}) ${withoutIcons(row.label)}`,
      description: withoutIcons(row.description),
      detail: withoutIcons(toLabel(value.id, 100)),
      chosenId: value.id,
    };
  });
  const problem = list.moreProblem ?? list.problem;
  const more: readonly Choice[] =
    problem !== undefined
      ? [
          {
            label: `$(warning) ${vscode.l10n.t('Could not load more. Try again')}`,
            detail: toLabel(describeError(problem), 200),
            isMore: true,
            alwaysShow: true,
          },
        ]
      : list.hasMore
        ? [{ label: `$(ellipsis) ${vscode.l10n.t('Load More')}`, isMore: true, alwaysShow: true }]
        : [];
  // An id is one word; what finds a row is rather a search.
  const found = (text: string) => text.toLowerCase().includes(typed.toLowerCase());
  const isId = /^\S{4,}$/.test(typed) && !listed.some(({ label, description, detail }) => [label, description, detail].some(found));
  const byId: readonly Choice[] = isId
    ? [{ label: `$(key) ${vscode.l10n.t('Use the ID {0}', withoutIcons(toLabel(typed, 100)))}`, chosenId: typed, alwaysShow: true }]
    : [];
  return [...listed, ...more, ...byId];
}
