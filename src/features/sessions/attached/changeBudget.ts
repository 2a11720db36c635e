import * as vscode from 'vscode';
import type { Session } from '../../../client/resources/sessions';
import { askText } from '../../../common/asking/askSteps';
import { confirmModal } from '../../../common/asking/confirmChange';
import { showInformation } from '../../../common/asking/notifications';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import type { SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { centsOf, describeAmountProblem, toBudget, toCents, toDollars } from '../attaching/budgetAmount';
import { describeSession, reachToChange, type SessionActionContext } from '../sessionActionContext';

/** Raises, lowers or removes the budget of a session. A session without a budget can't get one (API facts, section 7). */
export async function changeBudget(deps: SessionActionContext, target: SessionReference): Promise<void> {
  const { t } = vscode.l10n;
  const { client } = await reachToChange(deps, target);
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
  if (text.trim() === '') {
    await confirmModal(t('Remove the budget of "{0}"?', name), t("The session can then spend more. This can't be undone."), t('Remove'));
    return await setBudget(deps, target, null, t('Budget removed'));
  }
  const cents = toCents(text) ?? 0;
  await setBudget(deps, target, toBudget(cents), t('Budget: {0}', toDollars(cents, vscode.env.language)));
}

async function setBudget(
  deps: SessionActionContext,
  target: SessionReference,
  budget: ReturnType<typeof toBudget> | null,
  done: string,
): Promise<void> {
  const { client } = await reachToChange(deps, target);
  const answer = await client.sessions.update(target.sessionId, { budget });
  deps.store.put(target.connection, answer.data);
  if (answer.ignored !== undefined) {
    warnOfIgnored(describeSession(deps, target), answer);
  } else {
    vscode.window.setStatusBarMessage(done, 5000);
  }
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
