import * as vscode from 'vscode';
import { CancelledError } from '../../../common/cancellation';
import type { PresentationContext } from '../../../common/text/presentation';
import { withoutLinks } from '../../../common/text/withoutLinks';
import type { RetryGroup, RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { addCosts, costOfGroup, describeMost, type PlannedAct, type RetryPrices } from './retryCost';
import { describeAct, describeCause, describeCredit, describeReason, proposedAct } from './retryPresentation';

/** What the user wants next. */
export type RetryWish =
  | { readonly kind: 'write' | 'page' }
  | { readonly kind: 'change' | 'lines' | 'open' | 'fix'; readonly group: RetryGroup };

/** What is chosen of a plan, while the user looks at it. */
export class RetryChoice {
  readonly acts = new Map<string, PlannedAct>();
  chosen: ReadonlySet<string>;

  constructor(readonly plan: RetryPlan) {
    this.chosen = new Set(plan.groups.filter(group => group.isSensible && group.lines.length > 0).map(({ key }) => key));
  }

  actOf(group: RetryGroup): PlannedAct {
    return this.acts.get(group.key) ?? proposedAct(group);
  }

  /** Says what is done with a group, and chooses it. */
  set(group: RetryGroup, act: PlannedAct): void {
    this.acts.set(group.key, act);
    this.chosen = new Set([...this.chosen, group.key]);
  }

  get groups(): readonly RetryGroup[] {
    return this.plan.groups.filter(({ key }) => this.chosen.has(key));
  }
}

interface GroupItem extends vscode.QuickPickItem {
  readonly group: RetryGroup;
}

type ButtonKind = 'page' | 'change' | 'lines' | 'open' | 'fix';

interface KindButton extends vscode.QuickInputButton {
  readonly kind: ButtonKind;
}

/** Shows the groups of a plan with what is done about each. Rejects with `CancelledError` on Escape. */
export async function askRetry(name: string, choice: RetryChoice, prices: RetryPrices, context: PresentationContext): Promise<RetryWish> {
  const { t } = vscode.l10n;
  const pick = vscode.window.createQuickPick<GroupItem>();
  const page: KindButton = { kind: 'page', iconPath: new vscode.ThemeIcon('open-preview'), tooltip: t('Show the Whole Plan') };
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [page];
  pick.items = choice.plan.groups.map(group => toItem(group, choice.actOf(group), prices, context));
  pick.selectedItems = pick.items.filter(({ group }) => choice.chosen.has(group.key));
  pick.placeholder = t('Choose what to write to the retry file');
  const tell = () => {
    const groups = pick.selectedItems.map(({ group }) => group);
    const cost = addCosts(groups.map(group => costOfGroup(group, choice.actOf(group), prices)));
    const requests = groups.reduce((sum, group) => sum + group.lines.length, 0);
    const number = numberFormat(context.locale);
    pick.title =
      requests === 0
        ? t('Retry of {0}: nothing is chosen', name)
        : requests === 1
          ? t('Retry of {0}: 1 request, {1}', name, describeMost(cost, prices, context))
          : t('Retry of {0}: {1} requests, {2}', name, number.format(requests), describeMost(cost, prices, context));
  };
  tell();
  const disposables: vscode.Disposable[] = [pick];
  try {
    return await new Promise<RetryWish>((resolve, reject) => {
      disposables.push(
        pick.onDidChangeSelection(selected => {
          choice.chosen = new Set(selected.map(({ group }) => group.key));
          tell();
        }),
        pick.onDidTriggerButton(() => resolve({ kind: 'page' })),
        pick.onDidTriggerItemButton(({ item, button }) => {
          const { kind } = button as KindButton;
          if (kind !== 'page') {
            resolve({ kind, group: item.group });
          }
        }),
        pick.onDidAccept(() => {
          if (pick.selectedItems.some(({ group }) => group.lines.length > 0)) {
            resolve({ kind: 'write' });
          }
        }),
        pick.onDidHide(() => reject(new CancelledError())),
      );
      pick.show();
    });
  } finally {
    vscode.Disposable.from(...disposables).dispose();
  }
}

function toItem(group: RetryGroup, act: PlannedAct, prices: RetryPrices, context: PresentationContext): GroupItem {
  const { t } = vscode.l10n;
  const cost = costOfGroup(group, act, prices);
  const gone = group.gone === 0 ? '' : t('{0} of them stand in no file any more.', numberFormat(context.locale).format(group.gone));
  const detail = [describeReason(group, context), describeCredit(group, context) ?? '', gone];
  const has = group.lines.length > 0;
  const mends = act.change !== undefined || group.remedy !== undefined;
  const buttons: KindButton[] = [
    { kind: 'lines', iconPath: new vscode.ThemeIcon('list-flat'), tooltip: t('Show the Lines') },
    { kind: 'open', iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: t('Open the First Line') },
    ...(mends ? [{ kind: 'fix', iconPath: new vscode.ThemeIcon('wand'), tooltip: t('Fix All of Them in the Source File') } as const] : []),
    { kind: 'change', iconPath: new vscode.ThemeIcon('settings-gear'), tooltip: t('Change What Is Done') },
  ];
  return {
    label: `${numberFormat(context.locale).format(group.count)} ${toLabel(withoutLinks(describeCause(group, context)), 90)}`,
    description: `${toLabel(describeAct(group, act, context), 60)} · ${describeMost(cost, prices, context)}`,
    detail: toLabel(detail.filter(part => part !== '').join(' '), 400),
    buttons: has ? buttons : [],
    group,
  };
}
