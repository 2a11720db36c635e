import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { askModal, showInformation } from '../../../common/asking/notifications';
import { UntrustedError } from '../../../common/asking/untrusted';
import { describeTrust } from '../../../common/text/describeTrust';
import type { AskReference } from '../../../contributions';
import { isRecord } from '../../../shared/isRecord';
import { toLabel } from '../../../shared/text';
import { mayUse } from '../../connection';
import type { ApprovalRule } from './approvalRule';
import type { ApprovalRules } from './approvalRules';
import { askRule } from './askRule';
import { decideByRules, type RuledAsk } from './decideByRules';
import { describeRule, describeTrial, presentTrial, toolName, tryRule } from './ruleTrial';

type Act = () => Promise<void>;

/** The rules of this machine and what one does with them; with an ask a rule is made of that one. */
export async function manageRules(rules: ApprovalRules, ask?: AskReference): Promise<void> {
  if (!mayUse('change')) {
    throw new UntrustedError(vscode.l10n.t('Rules are not shown and decide nothing here. {0}', describeTrust(vscode.l10n.t)));
  }
  if (ask?.eventId !== undefined) {
    const { connection, sessionId, eventId } = ask;
    await make(rules, (await rules.find({ connection, sessionId }, eventId)).ask);
    return;
  }
  const { t } = vscode.l10n;
  const { rules: kept, damaged } = await rules.files.read();
  const problem = damaged.length === 0 ? '' : ` ${t('Nothing is decided: the file of a rule cannot be read ({0}).', damaged.join(', '))}`;
  const act = await askChoice<Act>({
    title: t('Rules for Approvals'),
    placeholder: `${t('Rules are of this machine alone, and decide nothing until they are switched on.')}${problem}`,
    choices: [
      ...(kept.length === 0 ? [] : [separator(t('Rules'))]),
      ...kept.map(rule => toChoice(rules, rule)),
      separator(t('Acts')),
      { label: `$(add) ${t('Add Rule from an Ask...')}`, value: () => addFromAsk(rules) },
      ...(rules.decisions.all.length === 0
        ? []
        : [{ label: `$(discard) ${t('Switch Off the Rule That Decided Last')}`, value: () => rules.undo() }]),
      { label: `$(list-unordered) ${t('Open Audit File')}`, detail: rules.audit.file, value: () => openAudit(rules) },
    ],
  });
  await act();
}

function toChoice(rules: ApprovalRules, rule: ApprovalRule): Choice<Act> {
  const { t } = vscode.l10n;
  const count = rules.decisions.all.filter(({ rule: id }) => id === rule.id).length;
  const decided = count === 0 ? '' : ` · ${count === 1 ? t('1 decision') : t('{0} decisions', count)}`;
  return {
    label: `$(${rule.isOn ? 'check' : 'circle-slash'}) ${toLabel(rule.name)}`,
    description: `${rule.isOn ? t('On') : t('Off')}${decided}`,
    detail: toLabel(describeRule(rule, t).join(' · '), 300),
    value: () => manageOne(rules, rule),
  };
}

async function manageOne(rules: ApprovalRules, rule: ApprovalRule): Promise<void> {
  const { t } = vscode.l10n;
  const act = await askChoice<Act>({
    title: toLabel(rule.name),
    placeholder: toLabel(describeRule(rule, t).join(' · '), 300),
    choices: [
      rule.isOn
        ? { label: `$(circle-slash) ${t('Switch Off')}`, value: async () => void (await rules.switch(rule.id, false)) }
        : { label: `$(check) ${t('Try and Switch On...')}`, value: () => switchOn(rules, rule) },
      { label: `$(beaker) ${t('Try on Answered Asks')}`, value: async () => void (await tryOut(rules, rule)) },
      { label: `$(trash) ${t('Delete Rule')}`, value: () => rules.remove(rule.id) },
    ],
  });
  await act();
}

async function make(rules: ApprovalRules, ask: RuledAsk): Promise<void> {
  if (!isRecord(ask.input)) {
    throw new Error(vscode.l10n.t('No rule can be made of this: its arguments are not known.'));
  }
  const verdict = decideByRules([], ask);
  if (!verdict.decides && verdict.why !== 'noRule') {
    throw new Error(
      vscode.l10n.t('No rule can be made of this: it holds hidden characters, or is too large. Rules leave such calls to you.'),
    );
  }
  const rule = await askRule(ask);
  describeInFull(rule);
  await rules.keep(rule);
  await switchOn(rules, rule);
}

/** Longest description of a rule that a dialog shows in full, in characters. */
const longestShown = 4000;

/** Describes a rule in full. Throws if a dialog can't show all of it. */
function describeInFull(rule: ApprovalRule): string {
  const text = describeRule(rule, vscode.l10n.t).join('\n');
  if (text.length > longestShown) {
    throw new Error(vscode.l10n.t('This rule is too long to show in full. For long values, choose something other than "Exactly This".'));
  }
  return text;
}

/** Shows what a rule would have decided, and switches it on if the user then wants that. */
async function switchOn(rules: ApprovalRules, rule: ApprovalRule): Promise<void> {
  const { t } = vscode.l10n;
  const described = describeInFull(rule);
  const { told, other } = await tryOut(rules, rule);
  const on = other > 0 ? t('Switch On All the Same') : t('Switch On');
  const detail = [
    described,
    '',
    told,
    '',
    rule.result === 'allow'
      ? t('Once it is on, calls like these run without asking you, in every trusted window on this machine.')
      : t('Once it is on, calls like these are denied without asking you, in every trusted window on this machine.'),
  ].join('\n');
  if ((await askModal(t('Switch on the rule "{0}"?', toLabel(rule.name)), { detail }, on)) !== on) {
    void showInformation(t('The rule "{0}" is kept, and off.', toLabel(rule.name)));
    return;
  }
  await rules.switch(rule.id, true);
}

async function tryOut(rules: ApprovalRules, rule: ApprovalRule): Promise<{ readonly told: string; readonly other: number }> {
  const { t } = vscode.l10n;
  const trial = tryRule(rule, rules.answeredAsks());
  const uri = rules.documents.create(`${t('Trial of {0}', toLabel(rule.name, 60))}.md`, presentTrial(trial, t));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, preserveFocus: true });
  return { told: describeTrial(trial, t), other: trial.other };
}

async function addFromAsk(rules: ApprovalRules): Promise<void> {
  const { t } = vscode.l10n;
  const waiting = rules.panels.seen.flatMap(({ connection, sessionId, view }) =>
    view.asks
      .filter(({ kind }) => kind === 'confirmation')
      .map(
        ({ eventId, tool, server, input }): Choice<() => Promise<RuledAsk>> => ({
          label: toLabel(toolName({ tool, server }), 60),
          description: toLabel('text' in input ? (input.text ?? '').replace(/\s+/g, ' ') : '', 120),
          detail: toLabel(view.title || view.firstWords || sessionId, 80),
          value: async () => (await rules.find({ connection, sessionId }, eventId)).ask,
        }),
      ),
  );
  const answered = [...rules.answeredAsks()].reverse().map(
    (ask): Choice<() => Promise<RuledAsk>> => ({
      label: toLabel(toolName(ask), 60),
      description: toLabel(JSON.stringify(ask.input) ?? '', 120),
      detail: `${ask.decided === 'allow' ? t('It was allowed.') : t('It was denied.')} ${toLabel(ask.at, 40)}`,
      value: async () => ask,
    }),
  );
  if (waiting.length + answered.length === 0) {
    throw new Error(t('A rule is made of an ask. Open a session in which something waits or was answered.'));
  }
  const find = await askChoice<() => Promise<RuledAsk>>({
    title: t('Add Rule from an Ask'),
    placeholder: t('Of which ask?'),
    choices: [
      ...(waiting.length === 0 ? [] : [separator(t('Waits now')), ...waiting]),
      ...(answered.length === 0 ? [] : [separator(t('Answered')), ...answered.slice(0, 100)]),
    ],
  });
  await make(rules, await find());
}

async function openAudit(rules: ApprovalRules): Promise<void> {
  try {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(rules.audit.file)));
  } catch {
    throw new Error(vscode.l10n.t('There is no audit file that could be opened: no rule has decided anything on this machine yet.'));
  }
}
