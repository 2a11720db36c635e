import * as vscode from 'vscode';
import type { Session } from '../../client/resources/sessions';
import type { ServiceClient } from '../../client/serviceClient';
import { askText } from '../../common/asking/askSteps';
import { confirmModal } from '../../common/asking/confirmChange';
import { showInformation } from '../../common/asking/notifications';
import { warnOfIgnored } from '../../common/asking/warnOfIgnored';
import type { SessionReference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { reach } from '../connection';
import { centsOf, describeAmountProblem, toBudget, toCents, toDollars } from './attaching/budgetAmount';
import { describeSession, type SessionActionContext } from './sessionActionContext';

/** Maximum length of a title, in characters (API facts, section 7). */
const longestTitle = 500;

/** Asks for a new title and sets it. */
export async function renameSession(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { client } = await reach(deps.connections, target.connection, 'change');
  const { data: session } = await client.sessions.retrieve(target.sessionId);
  const title = await askText({
    title: vscode.l10n.t('Rename "{0}"', describeSession(deps, target)),
    prompt: vscode.l10n.t('Title of the session'),
    value: session.title ?? '',
    validate: text => (text.trim() === '' ? vscode.l10n.t('Enter a name') : describeTitleProblem(text)),
  });
  if (title.trim() !== session.title) {
    await update(deps, client, target, { title: title.trim() });
  }
}

async function update(
  deps: SessionActionContext,
  client: ServiceClient,
  target: SessionReference,
  change: Parameters<ServiceClient['sessions']['update']>[1],
  done?: string,
): Promise<void> {
  const answer = await client.sessions.update(target.sessionId, change);
  deps.store.put(target.connection, answer.data);
  warnOfIgnored(describeSession(deps, target), answer);
  if (answer.ignored === undefined && done !== undefined) {
    vscode.window.setStatusBarMessage(done, 5000);
  }
}

/** Returns why a title is invalid, or `undefined` if it is valid. An empty title is valid. */
export function describeTitleProblem(text: string): string | undefined {
  return Array.from(text.trim()).length > longestTitle ? vscode.l10n.t('Use at most {0} characters.', longestTitle) : undefined;
}

/** Raises, lowers or removes the budget of a session. A session without a budget can't get a budget (API facts, section 7). */
export async function changeBudget(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reach(deps.connections, target.connection, 'change');
  const { data: session } = await client.sessions.retrieve(target.sessionId);
  const name = describeSession(deps, target);
  if (session.budget == null) {
    void showInformation(t('"{0}" has no budget. A budget can\'t be added later.', name));
    return;
  }
  const spent = centsOf(session.usage?.list_cost) ?? 0;
  const text = await askText({
    title: t('Budget of "{0}"', name),
    prompt: t('Maximum cost in US dollars, empty for no limit. {0}', describeSpending(session)),
    placeholder: '2.50',
    value: ((centsOf(session.budget.max_list_cost) ?? 0) / 100).toFixed(2),
    validate: value => (value.trim() === '' ? undefined : describeAmountProblem(value, spent, vscode.env.language, t)),
  });
  const cents = toCents(text);
  if (cents === undefined) {
    await confirmModal(t('Remove the budget of "{0}"?', name), t("The session can then spend more. This can't be undone."), t('Remove'));
  }
  const done = cents === undefined ? t('Budget removed') : t('Budget: {0}', toDollars(cents, vscode.env.language));
  await update(deps, client, target, { budget: cents === undefined ? null : toBudget(cents) }, done);
}

/** Describes the cost so far: `$0.42 of $1.00 spent.` */
function describeSpending({ usage, budget }: Session): string {
  const { t } = vscode.l10n;
  const dollars = (value: Parameters<typeof centsOf>[0]) => {
    const cents = centsOf(value);
    return cents === undefined ? toLabel(value?.amount ?? t('unknown'), 40) : toDollars(cents, vscode.env.language);
  };
  return t('{0} of {1} spent.', dollars(usage?.list_cost), dollars(budget?.max_list_cost));
}
