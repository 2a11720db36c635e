import { open } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askWhere, writableFolderOf } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { fileNameOf } from '../../../common/files/fileNameOf';
import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import { isBlank } from '../../../jsonl/checking/requestRules';
import { fieldsNameOf } from '../../../jsonl/fields/fieldsName';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { FixSelection } from '../../../jsonl/fixes/lineFix';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { mayBeFixed } from '../../../jsonl/fixes/mayBeFixed';
import { toNumber } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { count, type EditingDependencies, offerActs } from '../fileWork';
import { RewriteTarget } from './rewriteTarget';

const { t } = vscode.l10n;

/** Argument of `managedAgents.file.fix`, in place of a rule, that applies all safe fixes. */
export const everythingSafe = 'safe';

/**
 * Fixes a request file: applies the fixes that the user selects, or the preferred fixes of `rule`. Edits an open document. For any other
 * file, a job writes the result.
 */
export async function fixFile(deps: EditingDependencies, file: vscode.Uri | undefined, rule?: unknown): Promise<void> {
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

/** Argument of `managedAgents.file.fix`, in place of a rule, that moves the user's extra fields to another file. */
export const extraFields = 'extra-fields';

/** Returns the name of the file for the user's own fields. It is next to the request file. */
export function toFieldsName(uri: vscode.Uri): string {
  return fieldsNameOf(fileNameOf(uri));
}

/**
 * Moves the user's own fields, which a batch does not allow, to another file. Appends the fields there by `custom_id`, then removes them
 * from the requests.
 */
export async function moveFields(target: RewriteTarget): Promise<void> {
  const { summary, apply } = await target.prepare({ type: 'moveFields' });
  const { changedLines, movedFields = '' } = summary;
  if (changedLines === 0) {
    void showInformation(t('{0} has no extra fields.', target.name));
    return;
  }
  const fileName = toFieldsName(target.uri);
  const folder = await writableFolderOf(target.uri);
  const outPath = folder === undefined ? await askWhere(fileName, t('Save Extra Fields')) : path.join(folder, fileName);
  // The fields are saved before they are removed from the requests, so that no field is lost.
  await addLines(outPath, movedFields, folder === undefined ? 'w+' : 'a+');
  const done = await apply('here');
  const name = toLabel(path.basename(outPath), 80);
  const sentence = t('Extra fields moved to {1}. Requests: {0}.', count(changedLines), name);
  target.showDone(sentence, done);
}

/** Adds lines to a file, after a line break if its last line has none. */
async function addLines(path: string, lines: string, flags: 'w+' | 'a+'): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(size - 1, 0));
    await file.appendFile(size > 0 && buffer[0] !== 0x0a ? `\n${lines}` : lines);
  } finally {
    await file.close();
  }
}

/** Returns the title of a fix in the user's language, escaped as one line. */
export function toFixTitle(title: ProblemText, t: Translate): string {
  return toLabel(t(title.template, ...title.args), 120);
}

/** Returns the kinds of fixes that change something, in the order of `fixKinds`, with their number of lines. Preselects safe kinds. */
export function toFixChoices(fixes: RewriteSummary['fixes'], t: Translate, locale?: string) {
  const counts = new Map(fixes);
  return (Object.keys(fixKinds) as FixKind[]).flatMap(fix => {
    const { label, isSafe } = fixKinds[fix];
    const lines = counts.get(fix) ?? 0;
    const description = lines === 1 ? t('1 line') : t('{0} lines', toNumber(lines, locale));
    return lines === 0 ? [] : [{ fix, label: t(label), description, picked: isSafe }];
  });
}

/** Describes how many lines were fixed, and how many errors and warnings remain. */
export function toFixSentence(summary: RewriteSummary, t: Translate, locale?: string): string {
  const { changedLines: lines, fixes } = summary;
  // Fixes of line ends and byte order marks change no line.
  const fixed = lines > 0 ? t('Lines fixed: {0}.', toNumber(lines, locale)) : fixes.length > 0 ? t('Fixed.') : t('Nothing was changed.');
  return `${fixed} ${toLeftSentence(summary, t, locale)}`;
}

/** Describes how many errors and warnings remain. */
function toLeftSentence(
  { problemsLeft, requests }: Pick<RewriteSummary, 'problemsLeft' | 'requests'>,
  t: Translate,
  locale?: string,
): string {
  if (problemsLeft > 0) {
    return t('Errors and warnings left: {0}.', toNumber(problemsLeft, locale));
  }
  return requests === 0 ? t('The file has no requests.') : t('No problems remain.');
}
