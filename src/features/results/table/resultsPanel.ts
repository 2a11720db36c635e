import * as vscode from 'vscode';
import { isCancellation } from '../../../common/cancellation';
import type { Log } from '../../../common/log';
import { PanelHost } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import { completeQuery, type KnownValues } from '../../../jsonl/querying/completeQuery';
import { QueryError } from '../../../jsonl/querying/parseQuery';
import { fromWebviewSchema } from '../../../shared/results/fromResultsSchema';
import type { FromWebview, MenuAct, QueryCompletion, ShownState, TableSubject, ToWebview } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { openLink } from '../../sessions';
import type { PanelColumns } from './panelColumns';
import type { Arrangement, OpenTable } from './resultsTable';
import { toPictures } from './toPictures';

export type Message<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

/** Actions on results that the panel delegates to its owner. */
export interface PanelActs {
  readonly rows: (arrangement: Arrangement, message: Message<'actOnRows'>) => Promise<void>;
  readonly pair: (arrangement: Arrangement, message: Message<'pair'>) => Promise<void>;
  readonly act: (message: Message<'act'>, arrangement: Arrangement | undefined) => Promise<void>;
}

/** Parts of the results to show: a request with its answer, or the rows that match a query. */
export interface Shown {
  readonly customId?: string | undefined;
  readonly query?: string | undefined;
}

type ShownTable = Pick<OpenTable, 'opened' | 'onDidChange' | 'table' | 'values' | 'describe' | 'check' | 'survey' | 'pair' | 'dispose'>;

export interface ResultsPanelOptions {
  /** Panel restored by VS Code, if any. */
  readonly panel: vscode.WebviewPanel | undefined;
  readonly extension: vscode.Uri;
  readonly log: Log;
  readonly state: ShownState;
  readonly results: ShownTable;
  readonly columns: PanelColumns;
  /** Creates the actions on the table, given its panel. */
  readonly acts: (host: Pick<PanelHost<never, never>, 'column' | 'signal'>) => PanelActs;
}

const maxOffers = 30;
/** Delay in milliseconds before the progress of a search is shown. */
const progressAfter = 300;

/** Panel with a table. The webview gets rows, pairs and charts of the latest arrangement. Closing the panel disposes the results. */
export class ResultsPanel {
  private readonly host: PanelHost<FromWebview, ToWebview>;
  private readonly acts: PanelActs;
  private arrangement: Arrangement | undefined;
  private revision = 0;
  private data = 0;
  private readonly running = { arrange: new AbortController(), survey: new AbortController(), pair: new AbortController() };
  private toReveal: Shown = {};

  constructor(private readonly options: ResultsPanelOptions) {
    const { panel, results, columns, extension, log, state } = options;
    this.host = new PanelHost<FromWebview, ToWebview>({
      ...{ panel, extension, log, state, viewType: resultsViewType, bundle: 'results', schema: fromWebviewSchema },
      title: panel?.title ?? (state.requests === undefined ? vscode.l10n.t('Results') : vscode.l10n.t('Requests')),
      onReady: async () => {
        await results.opened;
        await columns.refresh();
        this.showHead(false);
        this.postRevealed();
      },
      onMessage: message => this.handle(message),
      onVisibility: isVisible => {
        if (isVisible) {
          this.host.run(() => results.check().then(() => columns.refresh()));
        }
      },
      onDispose: () => {
        for (const controller of Object.values(this.running)) {
          controller.abort();
        }
        changes.dispose();
        results.dispose();
      },
    });
    this.acts = options.acts(this.host);
    const changes = results.onDidChange(() => this.host.run(() => columns.refresh().then(() => this.showHead(true))));
  }

  get panel(): vscode.WebviewPanel {
    return this.host.panel;
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

  private async handle(message: Exclude<FromWebview, { readonly type: 'ready' }>): Promise<void> {
    const { acts } = this;
    const { results } = this.options;
    switch (message.type) {
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
        if (await this.options.columns.choose(this.host.signal)) {
          this.showHead(false);
        }
        return;
      case 'act':
        await acts.act(message, this.arrangement);
        if (message.act === 'more') {
          // Adding groups changes the columns.
          this.showHead(false);
        }
        return;
      case 'openLink':
        return await openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
      default:
        return await this.handleRows(message);
    }
  }

  /** Handles messages about rows of an arrangement. Drops them if there is a newer arrangement. */
  private async handleRows(message: Message<'window' | 'survey' | 'open' | 'actOnRows' | 'pair'>): Promise<void> {
    const { acts, arrangement } = this;
    if (arrangement === undefined || message.revision !== this.revision) {
      return;
    }
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
          await this.options.columns.refresh();
          this.showHead(false);
        }
        return;
      case 'pair':
        return await acts.pair(arrangement, message);
    }
  }

  /** Cancels running work of a kind. Returns the signal for new work. */
  private restart(kind: keyof ResultsPanel['running']): AbortSignal {
    this.running[kind].abort();
    this.running[kind] = new AbortController();
    return this.running[kind].signal;
  }

  private async arrange({ request, query, order, keep }: Message<'arrange'>): Promise<void> {
    const signal = this.restart('arrange');
    const { table } = this.options.results;
    if (table === undefined) {
      return;
    }
    const refuse = (message: string, start: number, end: number): void =>
      this.post({ type: 'refused', request, query, message, start, end });
    try {
      const startedAt = performance.now();
      const arrangement = await table.arrange(query, order, {
        signal,
        onProgress: ({ doneBytes, totalBytes }) => {
          if (!signal.aborted && doneBytes < totalBytes && performance.now() - startedAt > progressAfter) {
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
        const { text, start, end } = error;
        refuse(vscode.l10n.t(text.template, ...text.args), start, end);
        return;
      }
      refuse(describeError(error), 0, 0);
      await this.options.results.check();
    }
  }

  private async sendRows(arrangement: Arrangement, { revision, from, count }: Message<'window'>): Promise<void> {
    const { results, columns, log } = this.options;
    try {
      const rows = (await results.table?.rows(arrangement, from, count, columns.values)) ?? [];
      this.post({ type: 'rows', revision, from, rows });
      await this.fillColumns();
    } catch (error) {
      log.warn(`Rows of results could not be read: ${describeError(error)}`);
      await results.check(error);
    }
  }

  /** Reads the values of columns. This is slower than reading rows. Then lets the webview request the rows again. */
  private async fillColumns(): Promise<void> {
    const { table } = this.options.results;
    if (table !== undefined && (await this.options.columns.fill(table, this.host.signal))) {
      this.post({ type: 'filled', revision: this.revision });
    }
  }

  private async survey({ query }: Arrangement, revision: number): Promise<void> {
    const signal = this.restart('survey');
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
    const signal = this.restart('pair');
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
      this.running.arrange.abort();
      this.arrangement = undefined;
    }
    const { head, title } = this.options.results.describe();
    this.host.setTitle(toLabel(title, 80));
    this.post({ type: 'snapshot', head, columns: this.options.columns.shown, data: this.data });
  }

  private postRevealed(): void {
    if (this.host.isReady) {
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

  private post(message: ToWebview): void {
    void this.host.post(message);
  }
}

/** View type of results panels. Must match the activation event in package.json. */
const resultsViewType = 'managedAgents.results';

/** Returns completions at a position of a query, in the user's language. `known` are values that occur in the results. */
function toCompletions(query: string, at: number, known: KnownValues, subject: TableSubject = 'results'): readonly QueryCompletion[] {
  const { start, end, offers } = completeQuery(query, Math.min(at, query.length), known, subject);
  return offers
    .filter(({ text }) => text !== query.slice(start, end))
    .slice(0, maxOffers)
    .map(({ kind, text, about }) => ({
      label: text,
      detail: about === undefined ? '' : vscode.l10n.t(about.template, ...about.args),
      text: kind === 'word' ? `${text} ` : text,
      ...{ start, end },
    }));
}
