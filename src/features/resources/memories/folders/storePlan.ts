import * as vscode from 'vscode';
import type { Memory } from '../../../../client/schemas/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { listAll } from '../../../../client/transport/pagination';
import { askChoice, type Choice, separator } from '../../../../common/asking/askSteps';
import { NothingToDoError } from '../../../../common/asking/nothingToDo';
import { showInformation, showWarning } from '../../../../common/asking/notifications';
import { type Report, withProgress } from '../../../../common/asking/progress';
import { CancelledError } from '../../../../common/cancellation';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { withoutIcons } from '../../../../common/text/withoutIcons';
import { numberFormat } from '../../../../shared/formats';
import { toLabel } from '../../../../shared/text';
import { isConflict } from '../../lists/performAct';

/** Effect of writing one memory or file. */
export type PlannedAct = 'create' | 'replace' | 'same' | 'only' | 'refused';

/** Line of a plan: a path, and what happens to it. */
export interface PlannedLine {
  readonly act: PlannedAct;
  readonly path: string;
  /** Reason for the refusal: a sentence without its final period. */
  readonly why?: string;
}

/** Titles of the parts of a plan. `only` is for memories or files that only the target has. */
export type PlanTitles = Readonly<Record<PlannedAct, string>>;

const order: readonly PlannedAct[] = ['create', 'replace', 'only', 'refused', 'same'];

/** Returns the lines of one act. */
export function linesOf<T extends { readonly act: PlannedAct }>(lines: readonly T[], act: PlannedAct): readonly T[] {
  return lines.filter(line => line.act === act);
}

interface PlanPart {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly description?: string }[];
}

/** Groups the lines of a plan by act, to show it before anything is done. */
export function toPlanParts(lines: readonly PlannedLine[], titles: PlanTitles, locale: string): readonly PlanPart[] {
  const number = numberFormat(locale);
  return order.flatMap(act => {
    const some = linesOf(lines, act);
    const rows = some.map(({ path, why }) => ({
      label: withoutIcons(toLabel(path, 400)),
      ...(why !== undefined && { description: withoutIcons(why) }),
    }));
    return some.length === 0 ? [] : [{ title: `${titles[act]} (${number.format(some.length)})`, rows }];
  });
}

/** Describes the number of lines of each act. */
export function countPlan(lines: readonly PlannedLine[], translate: Translate, locale: string): string {
  const number = numberFormat(locale);
  const count = (act: PlannedAct) => number.format(linesOf(lines, act).length);
  const words: readonly (readonly [PlannedAct, string])[] = [
    ['create', translate('{0} new', count('create'))],
    ['replace', translate('{0} replaced', count('replace'))],
    ['refused', translate('{0} left out', count('refused'))],
    ['same', translate('{0} unchanged', count('same'))],
  ];
  return words.flatMap(([act, text]) => (linesOf(lines, act).length > 0 ? [text] : [])).join(', ');
}

/** Describes the result: `headline` for what was done, the number of lines that were not done, and the first failures. */
export function describeDone(headline: string, left: number, failures: readonly string[], translate: Translate): string {
  const text = left === 0 ? headline : `${headline} ${translate('Not done: {0}.', left)}`;
  const more = failures.length > 3 ? [translate('{0} more failed.', failures.length - 3)] : [];
  return [text, ...failures.slice(0, 3), ...more].join(' ');
}

/** Maximum number of memories or files in one operation. */
export const maxFiles = 2_000;

/** Returns the memories below a folder, whose path ends with `/`, by path. Throws an error for the user if there are more than `most`. */
export async function memoriesBelow(
  { memoryStores }: ServiceClient,
  storeId: string,
  folder: string,
  { view, most = Number.POSITIVE_INFINITY, signal }: { view: 'basic' | 'full'; most?: number; signal?: AbortSignal | undefined },
): Promise<Map<string, Memory>> {
  const { list } = memoryStores.memories(storeId);
  const found = new Map<string, Memory>();
  const limit = view === 'full' ? 20 : 100;
  for await (const memory of listAll(options => list({ ...options, pathPrefix: folder, view }), { limit, signal })) {
    if (memory.path?.startsWith(folder) === true && memory.type !== 'memory_prefix') {
      found.set(memory.path, memory);
    }
    if (found.size > most) {
      throw new Error(vscode.l10n.t('More than {0} items. Choose a smaller folder.', most));
    }
  }
  return found;
}

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

/** Acts on each line of a plan until the user cancels. Returns how many are done, and why others failed. */
export function doPlan<T extends { readonly path: string }>(
  title: string,
  lines: readonly T[],
  act: (line: T) => Promise<void>,
): Promise<DonePlan> {
  return withProgress(title, new AbortController().signal, (signal, report) => doEach(lines, act, signal, report));
}

/** Acts on each line like `doPlan`, until `signal` aborts. */
export async function doEach<T extends { readonly path: string }>(
  lines: readonly T[],
  act: (line: T) => Promise<void>,
  signal: AbortSignal,
  report: Report = () => {},
): Promise<DonePlan> {
  const failures: string[] = [];
  let done = 0;
  for (const line of lines) {
    if (signal.aborted) {
      break;
    }
    report(toLabel(line.path, 60), done / lines.length);
    try {
      await act(line);
      done++;
    } catch (error) {
      const why = isConflict(error) ? vscode.l10n.t('changed in the meantime') : describeError(error);
      failures.push(`${toLabel(line.path, 80)}: ${why}`);
    }
  }
  return { done, left: lines.length - done, failures };
}

interface DonePlan {
  readonly done: number;
  readonly left: number;
  readonly failures: readonly string[];
}

/** Shows how much was done, and why parts failed. */
export function showDone(headline: string, { left, failures }: DonePlan): void {
  const message = describeDone(headline, left, failures, vscode.l10n.t);
  void (left === 0 ? showInformation(message) : showWarning(message));
}
