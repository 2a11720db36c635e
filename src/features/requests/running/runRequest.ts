import * as vscode from 'vscode';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { describeTrust } from '../../../common/text/describeTrust';
import type { Problem } from '../../../contract/problem';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { type Connections, readyConnection } from '../../connection';
import { errorsOfRequest, toProblemSentence } from '../checking/problemsPresentation';
import type { RequestDocuments } from '../documents/requestDocuments';
import { readRequestLine } from '../documents/requestLine';
import { findFile, findLine } from '../documents/findRequest';
import type { RequestTarget } from '../documents/requestTarget';
import type { RuleSettings } from '../ruleSettings';
import type { RequestRuns } from './requestRuns';

interface RunRequestDependencies {
  readonly documents: RequestDocuments;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly runs: RequestRuns;
}

/** Runs a request. */
export async function runRequest({ documents, connections, rules, runs }: RunRequestDependencies, target: RequestTarget): Promise<void> {
  const { t } = vscode.l10n;
  const file = findFile(documents, target.file);
  const { document } = file;
  const current = findLine(file, target);
  const { text } = document.lineAt(current);
  const request = readRequestLine(text);
  const { kind, problems } = checkRequestLine(text, current, rules.options(document.uri));
  if (request === undefined || (kind !== 'request' && kind !== 'params')) {
    throw new Error(t('Not a request (custom_id and params) or message params (model, max_tokens and messages).'));
  }
  const untrusted = t('Not sent. {0}', describeTrust(t));
  const connection = await readyConnection(connections, { question: t('Select a connection'), untrusted });
  await askAboutErrors(errorsOfRequest(problems), document, current);
  await runs.start(connection, { source: document.uri, line: current, request });
}

async function askAboutErrors(errors: readonly Problem[], document: vscode.TextDocument, line: number): Promise<void> {
  const first = errors[0];
  if (first === undefined) {
    return;
  }
  const { t } = vscode.l10n;
  const run = t('Run Anyway');
  const show = t('Show Problems');
  const message = t('Line {0} has errors and will likely be rejected.', line + 1);
  const detail = errors
    .slice(0, 5)
    .map(problem => t('Column {0}: {1}', problem.start + 1, toProblemSentence(problem.text, t)))
    .join('\n');
  const choice = await askModal(message, { detail }, show, run);
  if (choice === show) {
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(first.line, first.start, first.line, first.end) });
  }
  if (choice !== run) {
    throw new CancelledError();
  }
}
