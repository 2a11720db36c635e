import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { UntrustedError } from '../../../common/asking/untrusted';
import type { Handlers } from '../../../common/commands';
import { describeTrust } from '../../../common/text/describeTrust';
import type { AskReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { mayUse } from '../../connection';
import type { ApprovalRules } from './approvalRules';
import { describeRule } from './proposeRules';
import type { ApprovalRule } from './ruleFiles';

type Act = () => Promise<void>;

/** Lists the rules of this machine with their actions. With an ask, offers the rules that can be made from it. */
export async function manageRules(rules: ApprovalRules, ask?: AskReference): Promise<void> {
  if (!mayUse('change')) {
    throw new UntrustedError(vscode.l10n.t('Rules are off: {0}', describeTrust(vscode.l10n.t)));
  }
  if (ask?.eventId !== undefined) {
    const { connection, sessionId, eventId } = ask;
    await make(rules, { connection, sessionId }, eventId);
    return;
  }
  const { t } = vscode.l10n;
  const { rules: stored, damaged } = await rules.files.read();
  const problem = damaged.length === 0 ? '' : ` ${t('Rules are off: delete or fix {0}.', damaged.join(', '))}`;
  const act = await askChoice<Act>({
    title: t('Approval Rules'),
    placeholder: `${t('Rules apply on this machine only.')} ${t('Use Always Allow on an approval.')}${problem}`,
    choices: [
      ...stored.map(rule => toChoice(rules, rule)),
      separator(''),
      ...(rules.decisions.size === 0 ? [] : [{ label: `$(discard) ${t('Turn Off Last Used Rule')}`, value: () => rules.undo() }]),
      { label: `$(list-unordered) ${t('Open Audit File')}`, detail: rules.decisions.file, value: () => openAudit(rules) },
    ],
  });
  await act();
}

function toChoice(rules: ApprovalRules, rule: ApprovalRule): Choice<Act> {
  const { t } = vscode.l10n;
  const count = rules.decisions.countOf(rule.id);
  const decided = count === 0 ? '' : ` · ${count === 1 ? t('1 decision') : t('{0} decisions', count)}`;
  return {
    label: `$(${rule.isOn ? 'check' : 'circle-slash'}) ${toLabel(rule.name)}`,
    description: `${rule.isOn ? t('On') : t('Off')}${decided}`,
    detail: toLabel(describeRule(rule, rule.agent ?? '', t), 300),
    value: () => manageOne(rules, rule),
  };
}

async function manageOne(rules: ApprovalRules, rule: ApprovalRule): Promise<void> {
  const { t } = vscode.l10n;
  const described = describeRule(rule, rule.agent ?? '', t);
  const act = await askChoice<Act>({
    title: toLabel(rule.name),
    placeholder: toLabel(described, 300),
    choices: [
      {
        label: rule.isOn ? `$(circle-slash) ${t('Turn Off')}` : `$(check) ${t('Turn On')}`,
        detail: toLabel(described, Number.POSITIVE_INFINITY),
        value: async () => void (await rules.files.switch(rule.id, !rule.isOn)),
      },
      { label: `$(trash) ${t('Delete Rule')}`, value: () => rules.files.remove(rule.id) },
    ],
  });
  await act();
}

/** Maximum length of a scope that the picker shows in full, in characters. */
const longestShown = 150;

async function make(rules: ApprovalRules, reference: Omit<AskReference, 'eventId'>, eventId: string): Promise<void> {
  const { t } = vscode.l10n;
  const proposed = await rules.propose(reference, eventId);
  const shown = proposed.filter(({ scope }) => scope.length <= longestShown);
  if (shown.length === 0) {
    throw new Error(t("Can't create a rule from this call."));
  }
  const rule = await askChoice<ApprovalRule>({
    title: t('Always Allow'),
    placeholder: t('Applies to every trusted window on this machine.'),
    choices: shown.map(({ rule, scope, trial }) => ({ label: scope, detail: trial, value: rule })),
  });
  await rules.files.write(rule);
}

async function openAudit(rules: ApprovalRules): Promise<void> {
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(rules.decisions.file)));
  } catch {
    throw new Error(vscode.l10n.t('No rule has been applied yet.'));
  }
}

/** Returns the handlers of the commands on approval rules. */
export function createApprovalRuleCommands(rules: ApprovalRules) {
  return {
    'managedAgents.approvalRules.manage': ask => manageRules(rules, ask),
    'managedAgents.approvalRules.undo': () => rules.undo(),
  } satisfies Partial<Handlers>;
}
