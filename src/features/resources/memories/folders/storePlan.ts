import * as vscode from 'vscode';
import type { Memory } from '../../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../../client/serviceClient';
import { listAll } from '../../../../client/transport/pagination';
import { askChoice, type Choice, separator } from '../../../../common/asking/askSteps';
import { NothingToDoError } from '../../../../common/asking/nothingToDo';
import { showInformation, showWarning } from '../../../../common/asking/notifications';
import { withProgress } from '../../../../common/asking/progress';
import { CancelledError } from '../../../../common/cancellation';
import { describeError } from '../../../../common/text/describeError';
import type { Translate } from '../../../../common/text/translate';
import { withoutIcons } from '../../../../common/text/withoutIcons';
import { numberFormat } from '../../../../shared/formats';
import { toLabel } from '../../../../shared/text';
import { isConflict } from '../../lists/resourceErrors';

/** Effect of writing one memory or file. */
export type PlannedAct = 'create' | 'replace' | 'same' | 'only' | 'refused';

/** Line of a plan: a path, and what happens to it. */
export interface PlannedLine {
  readonly act: PlannedAct;
  readonly path: string;
  /** Reason for the refusal: a sentence without its final period. */
  readonly why?: string;
}

/** Returns the lines of one act. */
export function linesOf<T extends { readonly act: PlannedAct }>(lines: readonly T[], act: PlannedAct): readonly T[] {
  return lines.filter(line => line.act === act);
}

/** Returns the lines of a plan as rows of a picker, grouped by act. */
export function toRows(lines: readonly PlannedLine[], t: Translate, locale: string): readonly Choice<never>[] {
  const titles: readonly (readonly [PlannedAct, string])[] = [
    ['create', t('New')],
    ['replace', t('Replaced')],
    ['only', t('Not in the folder')],
    ['refused', t('Left out')],
    ['same', t('Unchanged')],
  ];
  return titles.flatMap(([act, title]) => {
    const rows = linesOf(lines, act).map(({ path, why }) => ({
      label: withoutIcons(toLabel(path, 400)),
      ...(why !== undefined && { description: withoutIcons(why) }),
    }));
    return rows.length === 0 ? [] : [separator(`${title} (${numberFormat(locale).format(rows.length)})`), ...rows];
  });
}

/** Describes the number of lines of each act. */
export function countPlan(lines: readonly PlannedLine[], translate: Translate, locale: string): string {
  const number = numberFormat(locale);
  const count = (act: PlannedAct) => number.format(linesOf(lines, act).length);
  const words: readonly (readonly [PlannedAct, string])[] = [
    ['create', translate('{0} new', count('create'))],
    ['replace', translate('{0} replaced', count('replace'))],
    ['only', translate('{0} not in the folder', count('only'))],
    ['refused', translate('{0} left out', count('refused'))],
    ['same', translate('{0} unchanged', count('same'))],
  ];
  return words.flatMap(([act, text]) => (linesOf(lines, act).length > 0 ? [text] : [])).join(', ');
}

/** Returns `headline`, followed by the number of lines that were not done and the first failures. */
export function describeDone(headline: string, { left, failures }: DonePlan, translate: Translate): string {
  const text = left === 0 ? headline : `${headline} ${translate('Not processed: {0}.', left)}`;
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

/** Asks what to do with a plan, and lists the plan below the choices. Throws a `CancelledError` if the user chooses nothing. */
export async function askPlan<T>(title: string, acts: readonly Choice<T>[], plan: readonly PlannedLine[]): Promise<T> {
  const { t } = vscode.l10n;
  const { language } = vscode.env;
  const counts = countPlan(plan, t, language);
  if (acts.length === 0) {
    const nothing = t('Already up to date');
    throw new NothingToDoError(plan.every(({ act }) => act === 'same') ? nothing : `${nothing}: ${counts}`);
  }
  const keep: Choice<'keep'> = { label: `$(close) ${t('Cancel')}`, alwaysShow: true, value: 'keep' };
  const chosen = await askChoice<T | 'keep'>({
    title,
    placeholder: counts,
    choices: [keep, ...acts.map(act => ({ ...act, alwaysShow: true })), ...toRows(plan, t, language)],
  });
  if (chosen === 'keep') {
    throw new CancelledError();
  }
  return chosen;
}

/**
 * Carries out each line of a plan until the user cancels or `lifetime` aborts. Returns the numbers of finished and of other lines, and the
 * failures.
 */
export function doPlan<T extends { readonly path: string }>(
  title: string,
  lines: readonly T[],
  act: (line: T) => Promise<void>,
  lifetime = new AbortController().signal,
) {
  return withProgress(title, lifetime, async (signal, report) => {
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
  });
}

type DonePlan = Awaited<ReturnType<typeof doPlan>>;

/** Shows the result of a plan, as a warning if some lines were not done. */
export function showDone(headline: string, result: DonePlan): void {
  const message = describeDone(headline, result, vscode.l10n.t);
  void (result.left === 0 ? showInformation(message) : showWarning(message));
}
