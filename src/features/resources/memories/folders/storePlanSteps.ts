import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../../common/asking/askSteps';
import { NothingToDoError } from '../../../../common/asking/nothingToDo';
import { showInformation, showWarning } from '../../../../common/asking/notifications';
import { CancelledError } from '../../../../common/cancellation';
import { countPlan, describeDone, type PlannedLine, type PlanTitles, toPlanParts } from './storePlan';

/** Maximum number of memories or files in one operation. */
export const mostFiles = 2_000;

/** Asks for a local folder. Throws a `CancelledError` if the user cancels. */
export async function askFolder(title: string, openLabel: string): Promise<string> {
  const defaultUri = vscode.workspace.workspaceFolders?.[0]?.uri;
  const dialog = { title, openLabel, canSelectFiles: false, canSelectFolders: true, ...(defaultUri && { defaultUri }) };
  const [chosen] = (await vscode.window.showOpenDialog(dialog)) ?? [];
  if (chosen === undefined) {
    throw new CancelledError();
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Choose a folder on this machine.'));
  }
  return chosen.fsPath;
}

/** Question about a plan. `nothing` is the message if there is nothing to do. */
interface PlanQuestion<T> {
  readonly title: string;
  readonly nothing: string;
  readonly acts: readonly Choice<T>[];
}

/** Asks what to do with a plan, and lists the plan below the choices. Throws a `CancelledError` if the user chooses nothing. */
export async function askPlan<T>({ title, nothing, acts }: PlanQuestion<T>, plan: readonly PlannedLine[], titles: PlanTitles): Promise<T> {
  const { t } = vscode.l10n;
  const { language } = vscode.env;
  if (acts.length === 0) {
    const isSame = plan.length > 0 && plan.every(({ act }) => act === 'same');
    const counts = countPlan(plan, t, language);
    throw new NothingToDoError(isSame ? t('Already up to date') : counts === '' ? nothing : `${nothing}: ${counts}`);
  }
  const keep: Choice<'keep'> = { label: `$(edit) ${t('Cancel')}`, alwaysShow: true, value: 'keep' };
  const parts = toPlanParts(plan, titles, language).flatMap(({ title, rows }) => [separator(title), ...rows]);
  const chosen = await askChoice<T | 'keep'>({
    title,
    placeholder: countPlan(plan, t, language),
    choices: [keep, ...acts.map(act => ({ ...act, alwaysShow: true })), ...parts],
  });
  if (chosen === 'keep') {
    throw new CancelledError();
  }
  return chosen;
}

/** Shows how much was done, and why parts failed. */
export function tellDone(headline: string, left: number, failures: readonly string[]): void {
  const message = describeDone(headline, left, failures, vscode.l10n.t);
  void (left === 0 ? showInformation(message) : showWarning(message));
}
