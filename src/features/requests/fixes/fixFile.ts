import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { isBlank } from '../../../jsonl/checking/requestRules';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FixSelection } from '../../../jsonl/fixes/lineFix';
import { mayBeFixed } from '../../../jsonl/fixes/mayBeFixed';
import type { EditingDependencies } from '../editingDependencies';
import { toFixChoices, toFixSentence, toLeftSentence } from './fixesPresentation';
import { extraFields, moveFields } from './moveFields';
import { RewriteTarget } from './rewriteTarget';

/** Argument of `managedAgents.file.fix`, in place of a rule, that applies all safe fixes. */
export const everythingSafe = 'safe';

/**
 * Fixes a request file: applies the fixes that the user selects, or with `rule` the preferred fixes of that rule. Edits an open document; a
 * job writes any other file.
 */
export async function fixFile(deps: EditingDependencies, file: vscode.Uri | undefined, rule?: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const uri = await chooseFile(file, { question: t('Select a request file'), openLabel: t('Fix') });
  const target = await RewriteTarget.of(deps, uri);
  if (!(await holdsRequests(target))) {
    return;
  }
  if (rule === extraFields) {
    await moveFields(target);
    return;
  }
  // Menus pass other values after the URI.
  const selection = typeof rule === 'string' ? (rule === everythingSafe ? {} : { rule }) : await askKinds(target);
  if (selection === undefined) {
    return;
  }
  const prepared = await target.prepare({ type: 'fix', selection });
  const { summary } = prepared;
  const done = await prepared.apply(await target.askTarget(prepared, t('Fix')));
  const sentence = toFixSentence(summary, t, vscode.env.language);
  if (done !== undefined || summary.problemsLeft === 0) {
    target.showDone(sentence, done);
    return;
  }
  const show = t('Show Problems');
  void showInformation(`${target.name}: ${sentence}`, show).then(button =>
    button === show ? vscode.commands.executeCommand('workbench.panel.markers.view.focus') : undefined,
  );
}

/** Returns whether a file has requests to fix. If not, shows advice. */
async function holdsRequests(target: RewriteTarget): Promise<boolean> {
  const { t } = vscode.l10n;
  const lines = await target.firstLines();
  if (lines.every(isBlank)) {
    void showInformation(t('{0} has no requests.', target.name));
    return false;
  }
  if (mayBeFixed(lines)) {
    return true;
  }
  const convert = t('Convert...');
  const message = t('{0} has no requests.', target.name);
  void showInformation(message, convert).then(async button => {
    if (button === convert) {
      await runCommand('managedAgents.file.convert', target.uri);
    }
  });
  return false;
}

/** Returns the kinds of fixes that the user selects. `undefined` if there are none. Shows a message if no fix would change anything. */
async function askKinds(target: RewriteTarget): Promise<FixSelection | undefined> {
  const { t } = vscode.l10n;
  const summary = await target.survey({ type: 'fix', selection: { kinds: Object.keys(fixKinds) as FixKind[] } });
  const choices = toFixChoices(summary.fixes, t, vscode.env.language);
  if (choices.length === 0) {
    const left = toLeftSentence(summary, t, vscode.env.language);
    void showInformation(`${target.name}: ${summary.problemsLeft === 0 ? left : t('{0} None of them has a fix.', left)}`);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick([...choices], {
    canPickMany: true,
    ignoreFocusOut: true,
    title: t('Fix {0}', target.name),
    placeHolder: t('Select fixes'),
  });
  const kinds = picked?.map(({ fix }) => fix) ?? [];
  return kinds.length === 0 ? undefined : { kinds };
}
