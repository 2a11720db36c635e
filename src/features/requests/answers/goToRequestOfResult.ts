import * as vscode from 'vscode';
import { askId } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { exists } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { toRecord } from '../../../jsonl/results/resultWords';
import { jsonOf } from '../../../shared/jsonOf';
import { generationsOf, type Submission, type SubmissionRegistry, toRuns } from '../../ledger';
import type { RequestDocuments } from '../documents/requestDocuments';
import { fileLabelOf, type RequestTarget } from '../documents/requestFile';
import { runJob } from '../fileWork';
import { goToRequest } from '../language/goToRequest';
import { joinedPathsOf } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';

interface RequestOfResultContext {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
  readonly registry: Pick<SubmissionRegistry, 'all' | 'reload'>;
  readonly jobs: JsonlJobs;
}

/** Id and line of the request that a result answers. */
interface Origin {
  readonly customId: string;
  /** Line of the request when it was sent, 0-based. */
  readonly line: number | undefined;
}

/**
 * Goes from a line of joined results to the current line of its request, by id. The line is 0-based and defaults to the line of the cursor.
 * The request file may be closed, edited, or over 50 MB. Asks for the id if extensions can't read the results, and for the request file if
 * it no longer exists.
 */
export async function goToRequestOfResult(context: RequestOfResultContext, { file, line }: RequestTarget): Promise<void> {
  const uri = await chooseFile(file, { question: vscode.l10n.t('Select a results file'), openLabel: vscode.l10n.t('Open') });
  const origin = await findOrigin(context, uri, line);
  await context.registry.reload();
  const source = await findSource(context, uri);
  const derivedLine = lineOfDerivedId(origin.customId);
  if (derivedLine === undefined) {
    await goToRequest(context, source.with({ fragment: origin.customId }));
  } else {
    await goToBare(context, source, origin.customId, origin.line ?? derivedLine);
  }
}

async function findOrigin({ jobs }: RequestOfResultContext, uri: vscode.Uri, given: number | undefined): Promise<Origin> {
  const document = openDocumentOf(uri);
  const editor = vscode.window.visibleTextEditors.find(shown => shown.document === document);
  const line = given ?? editor?.selection.active.line;
  if (document !== undefined && line !== undefined && line < document.lineCount) {
    return toOrigin(document.lineAt(line).text);
  }
  if (given !== undefined) {
    const wanted = { line: given };
    const found = await runJob({ jobs }, vscode.l10n.t('Searching for line {0}', given + 1), 'findLine', { path: uri.fsPath, wanted });
    return toOrigin(found?.text ?? '');
  }
  const question = { title: vscode.l10n.t('Go to Request of This Result'), prompt: vscode.l10n.t('Exact ID of the request') };
  return { customId: await askId(question), line: undefined };
}

function toOrigin(text: string): Origin {
  const { custom_id: customId, result, line: sent } = toRecord(jsonOf(text));
  if (typeof customId !== 'string' || typeof result !== 'object') {
    throw new Error(vscode.l10n.t('Place the cursor in a result first.'));
  }
  return { customId, line: typeof sent === 'number' && sent > 0 ? sent - 1 : undefined };
}

/** Returns the request file. This is the submitted file, a file with its name next to the results, or a file that the user chooses. */
async function findSource({ registry, documents }: RequestOfResultContext, results: vscode.Uri): Promise<vscode.Uri> {
  const known = sourcesOfJoined(registry.all(), results.fsPath).map(source => vscode.Uri.parse(source));
  const beside = results.path.replace(/\.results(?:-\d+)?(\.(?:jsonl|ndjson))$/i, '$1');
  const guesses = beside === results.path ? [] : [results.with({ path: beside })];
  for (const source of [...known, ...guesses]) {
    if (documents.get(source) !== undefined || (source.scheme === 'file' && (await exists(source.fsPath)))) {
      return source;
    }
  }
  const [first] = known;
  return await chooseFile(undefined, {
    question: first === undefined ? vscode.l10n.t('Select a request file') : vscode.l10n.t('File not found: {0}', fileLabelOf(first)),
    openLabel: vscode.l10n.t('Open'),
    fits: other => other.toString() !== results.toString(),
  });
}

/**
 * Goes to a line of bare params, whose id was derived from its line number. If the current line is unknown, goes to the original line
 * number and shows a message.
 */
async function goToBare({ documents, answers }: RequestOfResultContext, source: vscode.Uri, id: string, sentLine: number): Promise<void> {
  // `openTextDocument` rejects for a file over 50 MB. Only the editor itself can then go to the line.
  const document = await vscode.workspace.openTextDocument(source).then(undefined, () => undefined);
  const file = document && documents.get(document);
  await file?.whenSwept();
  await (file && answers.whenLoaded(file));
  const now = file && answers.of(file)?.lineOf(id);
  const line = Math.min(now ?? sentLine, (document?.lineCount ?? Number.POSITIVE_INFINITY) - 1);
  await vscode.commands.executeCommand('vscode.open', source, { selection: new vscode.Range(line, 0, line, 0), preview: false });
  if (now === undefined) {
    void showInformation(vscode.l10n.t('{0} has changed. The request was on line {1}.', fileLabelOf(source), sentLine + 1));
  }
}

/**
 * Returns the URIs of the request files that a joined file has answers for. The line numbers in the joined file refer to the first file.
 */
export function sourcesOfJoined(submissions: readonly Submission[], file: string): readonly string[] {
  const runs = toRuns(submissions);
  const run = runs.find(one => [one.lead, ...one.submissions].flatMap(joinedPathsOf).includes(file));
  if (run === undefined) {
    return [];
  }
  const { merged, resultsFile } = run.lead;
  const family = merged !== undefined && (merged.joinedPath === file || resultsFile?.path === file) ? generationsOf(runs, run) : [run];
  return [...new Set(family.map(({ source }) => source))];
}
