import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { isBlank } from '../../../jsonl/checking/requestRules';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FixSelection } from '../../../jsonl/fixes/lineFix';
import { mayBeFixed } from '../../../jsonl/fixes/mayBeFixed';
import type { EditingDependencies } from '../editingDependencies';
import { offerActs } from '../fileWork';
import { toFixChoices, toFixSentence, toLeftSentence } from './fixesPresentation';
import { extraFields, moveFields } from './moveFields';
import { RewriteTarget } from './rewriteTarget';

/** Argument of `managedAgents.file.fix`, in place of a rule, that applies all safe fixes. */
export const everythingSafe = 'safe';

/**
 * Fixes a request file: applies the fixes that the user selects, or the preferred fixes of `rule`. Edits an open document. For any other
 * file, a job writes the result.
 */
export async function fixFile(deps: EditingDependencies, file: vscode.Uri | undefined, rule?: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const uri = await chooseFile(file, { question: t('Select a request file'), openLabel: t('Fix') });
  const target = await RewriteTarget.of(deps, uri);
  const lines = await target.firstLines();
  const isEmpty = lines.every(isBlank);
  if (isEmpty || !mayBeFixed(lines)) {
    const convert = { label: t('Convert...'), run: () => runCommand('managedAgents.file.convert', uri) };
    offerActs(deps, t('{0} has no requests.', target.name), isEmpty ? [] : [convert]);
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
  const done = await prepared.apply(await target.askOutput(prepared, t('Fix')));
  const sentence = toFixSentence(summary, t, vscode.env.language);
  const show = { label: t('Show Problems'), run: () => vscode.commands.executeCommand('workbench.panel.markers.view.focus') };
  target.showDone(sentence, done, ...(done !== undefined || summary.problemsLeft === 0 ? [] : [show]));
}

/** Returns the kinds of fixes that the user selects, or `undefined` for none. Shows a message if no fix would change anything. */
async function askKinds(target: RewriteTarget): Promise<FixSelection | undefined> {
  const { t } = vscode.l10n;
  const { summary } = await target.prepare({ type: 'fix', selection: { kinds: Object.keys(fixKinds) as FixKind[] } });
  const choices = toFixChoices(summary.fixes, t, vscode.env.language);
  if (choices.length === 0) {
    const left = toLeftSentence(summary, t, vscode.env.language);
    void showInformation(`${target.name}: ${summary.problemsLeft === 0 ? left : t('{0} None can be fixed automatically.', left)}`);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(choices, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: t('Fix {0}', target.name),
    placeHolder: t('Select fixes'),
  });
  const kinds = picked?.map(({ fix }) => fix) ?? [];
  return kinds.length === 0 ? undefined : { kinds };
}
