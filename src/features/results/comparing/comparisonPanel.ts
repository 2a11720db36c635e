import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { Log } from '../../../common/log';
import { PanelHost } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import type {
  ComparedPairAct,
  ComparedRuns,
  ComparisonHead,
  FromComparison,
  ToComparison,
} from '../../../shared/comparison/comparisonProtocol';
import { toLabel } from '../../../shared/text';
import { toComparisonRow, toPairView } from './comparedRows';
import type { ComparedPairs } from './comparedPairs';
import { changeWords, type ComparedPair, nameOfPair, toDiffTexts } from './comparePresentation';
import { fromComparisonSchema } from '../../../shared/comparison/fromComparisonSchema';

export interface ComparisonPanelOptions {
  readonly extension: vscode.Uri;
  /** Panel restored by VS Code, if any. */
  readonly panel: vscode.WebviewPanel | undefined;
  readonly runs: NonNullable<ComparedRuns['runs']>;
  readonly head: ComparisonHead;
  readonly pairs: ComparedPairs;
  readonly acts: {
    readonly all: () => Promise<void>;
    readonly pair: (pair: ComparedPair, act: ComparedPairAct) => Promise<void>;
    readonly openLink: (href: string) => Promise<void>;
  };
  readonly log: Log;
  readonly lifetime: AbortSignal;
}

/** Panel with a comparison. The webview requests rows and pairs as needed. The comparison ends when the panel is closed. */
export class ComparisonPanel {
  private readonly panel: PanelHost<FromComparison, ToComparison>;
  private opening = 0;

  constructor(private readonly options: ComparisonPanelOptions) {
    const { head, runs } = options;
    this.panel = new PanelHost<FromComparison, ToComparison>({
      ...options,
      viewType: 'managedAgents.comparison',
      bundle: 'comparison',
      title: head.title,
      state: { runs },
      schema: fromComparisonSchema,
      onReady: () => this.panel.post({ type: 'snapshot', head }),
      onMessage: message => this.handle(message),
    });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.column;
  }

  private async handle(message: Exclude<FromComparison, { readonly type: 'ready' }>): Promise<void> {
    const { pairs, acts } = this.options;
    switch (message.type) {
      case 'window': {
        const { filter, from, count } = message;
        const shown = pairs.slice(filter, from, count);
        const words = await pairs.previews(shown);
        const rows = shown.map((pair, at) => toComparisonRow(pair, words[at] ?? ['', ''], vscode.l10n.t));
        void this.panel.post({ type: 'rows', filter, from, rows });
        return;
      }
      case 'open':
        return await this.open(message);
      case 'pair': {
        const pair = pairs.at(message.filter, message.place);
        return pair && (await acts.pair(pair, message.act));
      }
      case 'act':
        return await acts.all();
      case 'openLink':
        return await acts.openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
    }
  }

  private async open({ filter, place }: Extract<FromComparison, { type: 'open' }>): Promise<void> {
    const opening = ++this.opening;
    const { pairs } = this.options;
    const pair = pairs.at(filter, place);
    if (pair === undefined) {
      return;
    }
    try {
      const lines = await pairs.lines(pair);
      if (opening === this.opening) {
        const view = toPairView(pair, lines, { translate: vscode.l10n.t, locale: vscode.env.language });
        void this.panel.post({ type: 'pair', filter, place, pair: view });
      }
    } catch (error) {
      void this.panel.post({ type: 'pair', filter, place, problem: toLabel(describeError(error), 500) });
    }
  }
}

/** Maximum number of pairs to open in one editor. */
const maxTogether = 50;

interface PairSource {
  readonly pairs: ComparedPairs;
  readonly documents: ReadonlyDocuments;
}

/** Shows both answers to a request in the diff editor. */
export async function showDifference(source: PairSource, pair: ComparedPair): Promise<void> {
  const { left, right } = await toDocuments(source, pair);
  const title = `${toLabel(nameOfPair(pair), 60)}: ${changeWords(pair, vscode.l10n.t)}`;
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true } satisfies vscode.TextDocumentShowOptions);
}

/** Shows the first differing pairs in one editor, worse ones first. */
export async function showTogether(source: PairSource, title: string): Promise<void> {
  const resources: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const pair of source.pairs.slice('all', 0, Math.min(maxTogether, source.pairs.differing))) {
    const { left, right } = await toDocuments(source, pair);
    resources.push([right, left, right]);
  }
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

async function toDocuments(
  { pairs, documents }: PairSource,
  pair: ComparedPair,
): Promise<{ readonly left: vscode.Uri; readonly right: vscode.Uri }> {
  const [before, after] = await pairs.lines(pair);
  const texts = toDiffTexts(before, after);
  const name = toLabel(nameOfPair(pair), 60);
  return {
    left: documents.create(`${name}.${texts.ending}`, texts.before),
    right: documents.create(`${name}.${texts.ending}`, texts.after),
  };
}
