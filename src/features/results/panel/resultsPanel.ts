import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import { combine } from '../../../common/disposables';
import { webviewHtml } from '../../../common/documents/webviewHtml';
import { describeError } from '../../../common/text/describeError';
import { parseQuery } from '../../../jsonl/querying/parseQuery';
import { QueryError } from '../../../jsonl/querying/queryProblem';
import { rewriteQuery } from '../../../jsonl/querying/rewriteQuery';
import type { FromWebview, MenuAct, ToWebview } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { fromWebviewSchema } from './fromResultsSchema';
import type { Message, ResultsPanelOptions, Shown } from './resultsPanelOptions';
import type { Arrangement } from './resultsTable';
import { toCompletions } from './toCompletions';
import { toPictures } from './toPictures';

/** Delay in milliseconds before the progress of a search is shown. */
const tellAfter = 300;

/**
 * Panel with a table. The webview requests rows, pairs and charts of an arrangement, and gets them while it is the latest one. Disposes the
 * results together with the panel.
 */
export class ResultsPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;
  private arrangement: Arrangement | undefined;
  private revision = 0;
  private data = 0;
  private arranging = new AbortController();
  private surveying = new AbortController();
  private pairing = new AbortController();
  private readonly lifetime = new AbortController();
  private toReveal: Shown = {};
  private isReady = false;
  private isDisposed = false;

  constructor(private readonly options: ResultsPanelOptions) {
    const { panel, results, extension, state } = options;
    this.panel = panel;
    this.subscriptions = combine(
      panel.webview.onDidReceiveMessage(message => this.receive(message)),
      panel.onDidChangeViewState(() => {
        // The contents of a hidden webview are discarded. When shown again, it sends `ready`.
        this.isReady &&= panel.visible;
        if (panel.visible) {
          this.tell(results.check().then(() => options.columns.look()));
        }
      }),
      results.onDidChange(() => this.tell(options.columns.look().then(() => this.showHead(true)))),
      panel.onDidDispose(() => this.dispose()),
    );
    panel.webview.html = webviewHtml(panel.webview, extension, { name: 'results', state, title: panel.title });
  }

  /** Shows a request or filter, now or as soon as the panel is ready. */
  reveal(shown: Shown): void {
    this.toReveal = shown;
    this.postRevealed();
  }

  /** Runs an action on the rows for which the context menu was opened. */
  act(act: MenuAct): void {
    this.post({ type: 'menu', act });
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.isReady = false;
      for (const controller of [this.arranging, this.surveying, this.pairing, this.lifetime]) {
        controller.abort();
      }
      this.subscriptions.dispose();
      this.options.results.dispose();
      this.panel.dispose();
    }
  }

  private receive(raw: unknown): void {
    const parsed = fromWebviewSchema.safeParse(raw);
    if (!parsed.success) {
      this.options.warn('A results panel sent a message that is none of its protocol; it was dropped');
      return;
    }
    this.tell(this.handle(parsed.data));
  }

  private async handle(message: FromWebview): Promise<void> {
    const { acts, results } = this.options;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        await results.opened;
        await this.options.columns.look();
        this.showHead(false);
        this.postRevealed();
        return;
      case 'arrange':
        return await this.arrange(message);
      case 'complete':
        this.post({
          type: 'completions',
          request: message.request,
          items: toCompletions(message.query, message.at, results.values, results.table?.subject),
        });
        return;
      case 'columns':
        await this.options.columns.set(message.columns);
        return await this.fillColumns();
      case 'chooseColumns':
        if (await this.options.columns.choose(this.lifetime.signal)) {
          this.showHead(false);
        }
        return;
      case 'act':
        return await acts.act(message, this.arrangement);
      case 'openLink':
        return await acts.openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
      default:
        return await this.handleRows(message);
    }
  }

  /** Handles messages about rows of an arrangement. Drops them if there is a newer arrangement. */
  private async handleRows(message: Message<'window' | 'survey' | 'open' | 'actOnRows' | 'pair'>): Promise<void> {
    const { arrangement } = this;
    if (arrangement === undefined || message.revision !== this.revision) {
      return;
    }
    const { acts } = this.options;
    switch (message.type) {
      case 'window':
        return await this.sendRows(arrangement, message);
      case 'survey':
        return await this.survey(arrangement, message.revision);
      case 'open':
        return await this.openPair(arrangement, message);
      case 'actOnRows':
        await acts.rows(arrangement, message);
        if (message.act === 'expect') {
          await this.options.columns.look();
          this.showHead(false);
        }
        return;
      case 'pair':
        return await acts.pair(arrangement, message);
    }
  }

  private async arrange({ request, query: written, order, keep }: Message<'arrange'>): Promise<void> {
    this.arranging.abort();
    this.arranging = new AbortController();
    const { signal } = this.arranging;
    const { table } = this.options.results;
    if (table === undefined) {
      return;
    }
    const query = table.subject === 'results' ? rewriteQuery(written) : written;
    const refuse = (message: string, start: number, end: number): void =>
      this.post({ type: 'refused', request, query, message, start, end });
    const parsed = parseQuery(query, table.subject);
    if ('problem' in parsed) {
      const { text, start, end } = parsed.problem;
      refuse(vscode.l10n.t(text.template, ...text.args), start, end);
      return;
    }
    try {
      const begun = performance.now();
      const arrangement = await table.arrange(query, order, {
        signal,
        onProgress: ({ doneBytes, totalBytes }) => {
          if (!signal.aborted && doneBytes < totalBytes && performance.now() - begun > tellAfter) {
            this.post({ type: 'searched', request, share: doneBytes / totalBytes });
          }
        },
      });
      if (signal.aborted || this.options.results.table !== table) {
        return;
      }
      this.arrangement = arrangement;
      const revision = ++this.revision;
      const { count, inputTokens, outputTokens } = arrangement;
      const place = keep === undefined ? undefined : table.positionOf(arrangement, keep);
      this.post({
        ...{ type: 'arranged', request, query, revision, count, inputTokens, outputTokens },
        ...{ all: table.size, ...(place !== undefined && { place }) },
      });
    } catch (error) {
      if (signal.aborted || isCancellation(error)) {
        return;
      }
      if (error instanceof QueryError) {
        const { text, start, end } = error.problem;
        refuse(vscode.l10n.t(text.template, ...text.args), start, end);
        return;
      }
      refuse(describeError(error), 0, 0);
      await this.options.results.check();
    }
  }

  private async sendRows(arrangement: Arrangement, { revision, from, count }: Message<'window'>): Promise<void> {
    const { results, columns, warn } = this.options;
    try {
      const rows = (await results.table?.rows(arrangement, from, count, columns.values)) ?? [];
      this.post({ type: 'rows', revision, from, rows });
      await this.fillColumns();
    } catch (error) {
      warn(`Rows of results could not be read: ${describeError(error)}`);
      await results.check(error);
    }
  }

  /** Reads the values of columns, which takes longer than the rows, and then lets the webview request the rows again. */
  private async fillColumns(): Promise<void> {
    const { table } = this.options.results;
    if (table !== undefined && (await this.options.columns.fill(table, this.lifetime.signal))) {
      this.post({ type: 'filled', revision: this.revision });
    }
  }

  private async survey({ query }: Arrangement, revision: number): Promise<void> {
    this.surveying.abort();
    this.surveying = new AbortController();
    const { signal } = this.surveying;
    try {
      const { results } = this.options;
      const subject = results.table?.subject;
      const survey = await results.survey(query, signal);
      this.post({
        type: 'survey',
        revision,
        pictures: toPictures(survey, { translate: vscode.l10n.t, locale: vscode.env.language, query, subject }),
      });
    } catch (error) {
      if (!signal.aborted && !isCancellation(error)) {
        this.post({ type: 'survey', revision, pictures: [], problem: toLabel(describeError(error), 500) });
      }
    }
  }

  private async openPair(arrangement: Arrangement, { revision, place }: Message<'open'>): Promise<void> {
    this.pairing.abort();
    this.pairing = new AbortController();
    const { signal } = this.pairing;
    const { results } = this.options;
    try {
      const entry = results.table?.entryAt(arrangement, place);
      const pair = entry && (await results.pair(entry, signal));
      if (pair !== undefined) {
        this.post({ type: 'pair', revision, place, pair });
      }
    } catch (error) {
      if (!signal.aborted && !isCancellation(error)) {
        this.post({ type: 'pair', revision, place, problem: toLabel(describeError(error), 500) });
        await results.check(error);
      }
    }
  }

  private showHead(isNew: boolean): void {
    if (isNew) {
      this.data++;
      this.arranging.abort();
      this.arrangement = undefined;
    }
    const { head, title } = this.options.describe();
    this.panel.title = toLabel(title, 80);
    this.post({
      ...{ type: 'snapshot', locale: vscode.env.language, translations: vscode.l10n.bundle ?? {} },
      ...{ head, columns: this.options.columns.shown, data: this.data },
    });
  }

  private postRevealed(): void {
    if (this.isReady) {
      const { customId, query } = this.toReveal;
      this.toReveal = {};
      if (query !== undefined) {
        this.post({ type: 'filter', query });
      }
      if (customId !== undefined) {
        this.post({ type: 'reveal', customId });
      }
    }
  }

  private tell(work: Promise<void>): void {
    work.catch(error => {
      if (!isCancellation(error)) {
        this.options.onError(error);
      }
    });
  }

  private post(message: ToWebview): void {
    if (this.isReady) {
      // The panel may have been closed in the meantime.
      this.panel.webview.postMessage(message).then(undefined, () => undefined);
    }
  }
}
