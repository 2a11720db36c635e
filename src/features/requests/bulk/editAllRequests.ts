import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { showInformation } from '../../../common/asking/notifications';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { EditChoice, EditScope, FieldEdit } from '../../../jsonl/fixes/edits/fieldEdit';
import { count, type EditingDependencies } from '../fileWork';
import { makeIds } from '../fixes/makeIds';
import { outputsOf, RewriteTarget } from '../fixes/rewriteTarget';
import { modelChoices } from '../language/modelChoices';
import { toEditWords, toLeftSentences, toPreviewTexts } from './editPresentation';
import { EditQuestions } from './editQuestions';

/**
 * Asks for one change and applies it to requests of a file: all of them, or those with a certain model, problem, id or failure. Shows a
 * preview first. An open document changes in one undo step. Any other file is rewritten, with a backup.
 */
export async function editAllRequests(deps: EditingDependencies, file: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const uri = await chooseFile(file, { question: t('Select a request file'), openLabel: t('Edit') });
  const target = await RewriteTarget.of(deps, uri);
  const { summary } = await target.prepare({ type: 'edit', choice: { scope: { by: 'all' } } });
  if (summary.requests === 0 || summary.edited === undefined) {
    void showInformation(t('{0} has no requests.', target.name));
    return;
  }
  const models = modelChoices(deps.rules.models());
  const edited = {
    name: target.name,
    requests: summary.requests,
    report: summary.edited,
    failed: await deps.answers.failingScope(uri),
    models,
  };
  await new EditQuestions(edited, {
    makeIds: () => makeIds(target),
    confirm: async ({ edit, scope }, canGoBack) => {
      const resolved = scope.by === 'lines' || scope.by === 'ids' ? await failedNow(deps, uri) : scope;
      await confirm(target, { edit, scope: resolved }, canGoBack);
    },
  }).ask();
}

/** Returns the current lines of the failed requests, because the file may have been edited meanwhile. */
async function failedNow({ answers }: EditingDependencies, uri: vscode.Uri): Promise<EditScope> {
  const failed = await answers.failingScope(uri);
  if (failed === undefined) {
    throw new Error(vscode.l10n.t('The file has changed in the meantime. Try again.'));
  }
  return failed;
}

/** Shows the changes, asks for confirmation, and applies exactly these changes. Applies nothing if the file has changed meanwhile. */
async function confirm(target: RewriteTarget, choice: EditChoice & { readonly edit: FieldEdit }, canGoBack: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const prepared = await target.prepare({ type: 'edit', choice });
  const { changedLines: changed, edited } = prepared.summary;
  const left = toLeftSentences(edited?.left ?? [], t, vscode.env.language);
  if (changed === 0) {
    void showInformation([t('No requests need changes.'), ...left].join(' '));
    return;
  }
  const title = toEditWords(choice.edit, t);
  const sentences = [t('Requests changed: {0}.', count(changed)), ...left];
  const texts = toPreviewTexts([title, ...sentences], edited?.examples ?? [], changed, t, vscode.env.language);
  const label = changed === 1 ? t('Edit 1 Request') : t('Edit {0} Requests', count(changed));
  const output = await withPreview(`${target.name}: ${title}`, texts, () =>
    askChoice({ title, placeholder: sentences.join(' '), choices: outputsOf(prepared, label), canGoBack }),
  );
  const done = await prepared.apply(output);
  target.showDone(t('Requests changed: {0}.', count(changed)), done);
}

/** Shows the first changes in a diff editor while `ask` waits for the user. */
async function withPreview<T>(
  title: string,
  { before, after }: { readonly before: string; readonly after: string },
  ask: () => Promise<T>,
): Promise<T> {
  const documents = new ReadonlyDocuments('managed-agents-edit');
  const shown = vscode.window.activeTextEditor;
  const [left, right] = [documents.create('before.txt', before), documents.create('after.txt', after)];
  try {
    // A preview editor would replace the preview tab of the file.
    const options: vscode.TextDocumentShowOptions = { preview: false, preserveFocus: true };
    await vscode.commands.executeCommand('vscode.diff', left, right, title, options);
    return await ask();
  } finally {
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
    await vscode.window.tabGroups.close(
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString()),
    );
    documents.dispose();
    if (shown !== undefined && !shown.document.isClosed) {
      // Focuses the document, so that Undo works immediately.
      await vscode.window.showTextDocument(shown.document, { viewColumn: shown.viewColumn, selection: shown.selection });
    }
  }
}
