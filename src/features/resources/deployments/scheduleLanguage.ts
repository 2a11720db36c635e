import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { createDiagnostic, DocumentChecks, toRange } from '../../../common/documents/documentChecks';
import { lensTitle } from '../../../common/text/lensTitle';
import type { PresentationContext } from '../../../common/text/presentation';
import { ownZone } from '../../../shared/schedule/zoneTime';
import { describeMoney } from '../kinds/deploymentWords';
import { findBudget, findSchedule, findScheduleProblems, partOfExpression, toScheduleHover, toScheduleTitle } from './schedulePresentation';

// Delay between the last change and the check, in milliseconds.
const checkDelay = 200;
// Interval between refreshes of the lenses, which show how soon a schedule runs, in milliseconds.
const refreshInterval = 30_000;

/** Checks schedules, and calls `refreshLenses` whenever the text of a lens may have changed. */
export function followSchedules(selector: vscode.DocumentSelector, refreshLenses: () => void): vscode.Disposable {
  const ticking = setInterval(refreshLenses, refreshInterval);
  return combine(
    new DocumentChecks({
      name: 'managed-agents-schedules',
      matches: document => vscode.languages.match(selector, document) > 0,
      find: findProblems,
      delay: checkDelay,
    }),
    { dispose: () => clearInterval(ticking) },
  );
}

/** Returns the hover of the schedule at a position. */
export function toHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const schedule = findSchedule(document.getText());
  const offset = document.offsetAt(position);
  const span = [schedule?.expressionSpan, schedule?.timezoneSpan].find(one => one && one.start <= offset && offset <= one.end);
  if (schedule === undefined || span === undefined) {
    return undefined;
  }
  const text = toScheduleHover(schedule, ownZone(), presentation());
  return text === undefined ? undefined : new vscode.Hover(new vscode.MarkdownString(text), toRange(document, span));
}

/** Returns the lens with the meaning and the next time of a schedule. */
export function toLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const schedule = findSchedule(document.getText());
  const title = schedule && toScheduleTitle(schedule, ownZone(), presentation());
  if (schedule === undefined || title === undefined) {
    return [];
  }
  return [new vscode.CodeLens(toRange(document, schedule.expressionSpan), { title: lensTitle('calendar', title), command: '' })];
}

function findProblems(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const schedule = findSchedule(document.getText());
  const problems = schedule === undefined ? [] : findScheduleProblems(schedule, presentation());
  return problems.flatMap(({ message, start, end }) => {
    const { timezoneSpan } = schedule ?? {};
    const span = schedule && start !== undefined && end !== undefined ? partOfExpression(schedule, start, end) : timezoneSpan;
    return span === undefined ? [] : [createDiagnostic(toRange(document, span), message, vscode.DiagnosticSeverity.Error)];
  });
}

/** Returns an inlay hint that shows an amount in cents as money. */
export function toBudgetHints(document: vscode.TextDocument): vscode.InlayHint[] {
  const budget = findBudget(document.getText());
  if (budget === undefined) {
    return [];
  }
  const money = describeMoney(budget.cents, budget.currency, vscode.env.language);
  const hint = new vscode.InlayHint(document.positionAt(budget.end), `= ${money}`);
  hint.paddingLeft = true;
  return [hint];
}

function presentation(): PresentationContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
