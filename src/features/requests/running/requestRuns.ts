import * as vscode from 'vscode';
import { ServiceError } from '../../../client/transport/errors';
import { askModal } from '../../../common/asking/notifications';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import { setContextKey } from '../../../common/contextKeys';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { Throttle } from '../../../common/lists/throttle';
import type { Log } from '../../../common/log';
import { describeTrust } from '../../../common/text/describeTrust';
import { hostOf } from '../../../common/text/presentation';
import type { Problem } from '../../../contract/problem';
import { checkRequestLine } from '../../../jsonl/checking/requestRules';
import { toLabel } from '../../../shared/text';
import { type Connection, type Connections, reach, readyConnection } from '../../connection';
import { errorsOfRequest, toProblemSentence } from '../checking/problemsPresentation';
import { findFile, findLine } from '../documents/findRequest';
import type { RequestDocuments } from '../documents/requestDocuments';
import type { RequestTarget } from '../documents/requestFile';
import { type RequestLine, readRequestLine } from '../documents/requestLine';
import type { RuleSettings } from '../ruleSettings';
import { type RunFacts, toAdvice, toAnswerDocument } from './answerDocumentPresentation';
import { StreamedAnswer } from './streamedAnswer';

interface RequestRunsDependencies {
  readonly connections: Connections;
  readonly documents: RequestDocuments;
  readonly rules: RuleSettings;
  /** Documents of the answers. */
  readonly pages: ReadonlyDocuments;
  readonly log: Log;
}

interface Run {
  readonly source: vscode.Uri;
  readonly answer: vscode.Uri;
  readonly controller: AbortController;
}

// Minimum delay between two updates, in milliseconds. Each update sends the whole text to the editor.
const shortestPause = 80;
const pausePerCharacter = 1 / 500;

/** Runs single requests. Each answer streams into a read-only document next to the file. Several requests can run at once. */
export class RequestRuns implements vscode.Disposable {
  private readonly runs = new Set<Run>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly deps: RequestRunsDependencies) {
    this.subscription = deps.pages.onDidClose(uri => {
      [...this.runs].find(({ answer }) => answer.toString() === uri.toString())?.controller.abort();
    });
  }

  /**
   * Sends a request and streams its answer. Settles when the answer is complete, has failed or was stopped. A failure is shown in the
   * answer's document.
   */
  async run(target: RequestTarget): Promise<void> {
    const { t } = vscode.l10n;
    const { documents, connections, rules } = this.deps;
    const file = findFile(documents, target.file);
    const { document } = file;
    const line = findLine(file, target);
    const { text } = document.lineAt(line);
    const request = readRequestLine(text);
    const { kind, problems } = checkRequestLine(text, line, rules.options(document.uri));
    if (request === undefined || (kind !== 'request' && kind !== 'params')) {
      throw new Error(t('Not a request (custom_id and params) or message params (model, max_tokens and messages).'));
    }
    const untrusted = t('Not sent. {0}', describeTrust(t));
    const connection = await readyConnection(connections, { question: t('Select a connection'), untrusted });
    await askAboutErrors(errorsOfRequest(problems), document, line);
    await this.start(connection, document.uri, line, request);
  }

  private async start(connection: Connection, source: vscode.Uri, line: number, request: RequestLine): Promise<void> {
    const { connections, pages } = this.deps;
    const answer = new StreamedAnswer();
    const started = performance.now();
    let facts: RunFacts = {
      connection: connection.name,
      host: hostOf(connection),
      fileName: fileNameOf(source),
      lineNumber: line + 1,
      customId: request.customId,
      state: 'sending',
      elapsedMs: 0,
      requestId: undefined,
    };
    const toText = () => toAnswerDocument(facts, answer, vscode.l10n.t, vscode.env.language);
    const name = request.customId === undefined ? vscode.l10n.t('line {0}', line + 1) : toLabel(request.customId, 40);
    const uri = pages.create(`${vscode.l10n.t('Answer to {0}', name)}.md`, toText());
    const run: Run = { source, answer: uri, controller: new AbortController() };
    this.runs.add(run);
    setContextKey('managedAgents.requestRunning', true);
    const show = () => pages.update(uri, toText());
    const showing = new Throttle(show, shortestPause);
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
      const title = vscode.l10n.t('Running {0}', name);
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
        const { signal } = run.controller;
        signal.throwIfAborted();
        const { client } = await reach(connections, connection, 'change');
        const stream = await client.messages.stream(request.params, { signal });
        facts = { ...facts, state: 'receiving', requestId: stream.requestId };
        showing.ask();
        for await (const event of stream) {
          answer.apply(event);
          showing.ask(Math.max(shortestPause, textLength(answer) * pausePerCharacter));
        }
      });
      facts = this.judge(facts, answer);
    } catch (error) {
      facts = this.explain(facts, error, run.controller.signal.aborted);
    } finally {
      this.runs.delete(run);
      setContextKey('managedAgents.requestRunning', this.runs.size > 0);
      facts = { ...facts, elapsedMs: performance.now() - started };
      showing.dispose();
      show();
    }
  }

  /**
   * Stops the run of an answer document, or the latest run of a request file. Without such a run, stops the latest run of any file. Returns
   * whether there was a run.
   */
  stop(uri: vscode.Uri | undefined): boolean {
    const key = uri?.toString();
    const candidates = [...this.runs];
    const run =
      candidates.find(candidate => candidate.answer.toString() === key) ??
      candidates.findLast(candidate => candidate.source.toString() === key) ??
      candidates.at(-1);
    run?.controller.abort();
    return run !== undefined;
  }

  private judge(facts: RunFacts, { error, isWhole }: StreamedAnswer): RunFacts {
    if (error === undefined && isWhole) {
      return { ...facts, state: 'ended' };
    }
    const problem =
      error === undefined
        ? vscode.l10n.t('The answer of {0} is incomplete.', facts.host)
        : `${facts.host}: ${toLabel(error.message, 1000)} (${toLabel(error.type, 100)})`;
    return { ...facts, state: 'failed', problem, advice: toAdvice(undefined, vscode.l10n.t) };
  }

  private explain(facts: RunFacts, error: unknown, isStopped: boolean): RunFacts {
    if (isStopped || isCancellation(error)) {
      return { ...facts, state: 'stopped' };
    }
    this.deps.log.error('A request failed', error);
    const failure = error instanceof ServiceError ? error : undefined;
    const requestId = facts.requestId ?? failure?.requestId;
    const problem = toLabel(error instanceof Error ? error.message : String(error), 1000);
    return { ...facts, state: 'failed', requestId, problem, advice: toAdvice(failure, vscode.l10n.t) };
  }

  dispose(): void {
    for (const { controller } of this.runs) {
      controller.abort();
    }
    this.subscription.dispose();
  }
}

function textLength(answer: StreamedAnswer): number {
  return answer.blocks.reduce((sum, block) => sum + block.text.length + block.json.length, 0);
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
