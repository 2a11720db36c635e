import * as vscode from 'vscode';
import { CancelledError } from '../../../common/cancellation';
import type { Severity } from '../../../contract/problem';
import type { RuleId } from '../../../jsonl/rules/ruleTable';
import type { EditingDependencies } from '../editingDependencies';
import { toSeverityWord } from './problemsPresentation';
import { toRuleUri } from './rulePageDocuments';
import { isRule, ownSeverity, presentSeverity, ruleIds, toRuleTitle } from './rulePagePresentation';

const setting = 'managedAgents.rules';

type RuleValues = Readonly<Record<string, unknown>>;

/** Shows what a rule means; without one the user is asked. */
export async function explainRule({ rules }: EditingDependencies, given: string | undefined): Promise<void> {
  const rule = await chooseRule(rules, given, vscode.l10n.t('Choose the rule to explain'));
  await vscode.commands.executeCommand('markdown.showPreviewToSide', toRuleUri(rule));
}

/** Asks for another severity of a rule and writes it into the user's settings. */
export async function changeSeverity({ rules }: EditingDependencies, given: string | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const rule = await chooseRule(rules, given, t('Choose the rule to change'));
  const file = vscode.window.activeTextEditor?.document.uri;
  const { severities } = rules.options(file);
  const present = presentSeverity(rule, { severities });
  const isChanged = Object.hasOwn(severities, rule);
  const words: readonly (Severity | 'off')[] = ['error', 'warning', 'information', 'hint', 'off'];
  const items = [
    ...words.map(severity => ({
      label: toSeverityWord(severity, t),
      description: isChanged && severity === present ? t('now') : '',
      severity: severity as Severity | 'off' | undefined,
    })),
    {
      label: t("The rule's own: {0}", toSeverityWord(ownSeverity(rule), t)),
      description: isChanged ? '' : t('now'),
      severity: undefined,
    },
  ];
  const choice = await vscode.window.showQuickPick(items, { title: toRuleTitle(rule, t), placeHolder: t('Severity of {0}', rule) });
  if (choice === undefined) {
    throw new CancelledError();
  }
  await write(rule, choice.severity, file);
}

async function chooseRule(rules: EditingDependencies['rules'], given: string | undefined, placeHolder: string): Promise<RuleId> {
  if (isRule(given)) {
    return given;
  }
  const { t } = vscode.l10n;
  const options = rules.options(vscode.window.activeTextEditor?.document.uri);
  const items = ruleIds.map(rule => ({
    label: toRuleTitle(rule, t),
    description: `${rule} · ${toSeverityWord(presentSeverity(rule, options), t)}`,
    rule,
  }));
  const choice = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (choice === undefined) {
    throw new CancelledError();
  }
  return choice.rule;
}

/** Writes the severity into the user's settings. Removes entries of the workspace and folder, which could still raise it. */
async function write(rule: RuleId, severity: Severity | 'off' | undefined, file: vscode.Uri | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(undefined, file);
  const found = configuration.inspect<RuleValues>(setting);
  const places = [
    { target: vscode.ConfigurationTarget.WorkspaceFolder, values: found?.workspaceFolderValue },
    { target: vscode.ConfigurationTarget.Workspace, values: found?.workspaceValue },
    { target: vscode.ConfigurationTarget.Global, values: found?.globalValue },
  ];
  for (const { target, values = {} } of places) {
    const others = Object.entries(values).filter(([id]) => id !== rule);
    const isUsers = target === vscode.ConfigurationTarget.Global && severity !== undefined;
    if (isUsers || Object.hasOwn(values, rule)) {
      const next = Object.fromEntries(isUsers ? [...others, [rule, severity]] : others);
      await configuration.update(setting, Object.keys(next).length === 0 ? undefined : next, target);
    }
  }
}
