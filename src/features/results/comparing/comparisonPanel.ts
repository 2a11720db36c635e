import * as vscode from 'vscode';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { PanelHost } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import type { Comparison } from '../../../jsonl/comparing/compareResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import {
  type ComparedKind,
  type ComparedPairAct,
  type ComparedReference,
  type ComparisonFilter,
  type ComparisonHead,
  comparedKinds,
  type FromComparison,
  type ToComparison,
} from '../../../shared/comparison/comparisonProtocol';
import { fromComparisonSchema } from '../../../shared/comparison/fromComparisonSchema';
import { toLabel } from '../../../shared/text';
import { openLink } from '../../sessions';
import { OpenResults } from '../panel/openResults';
import { goToLine } from '../panel/panelActs';
import type { ResultsDependencies } from '../resultsPanels';
import type { ComparedSide } from './compareCommand';
import { type ComparedPair, changeWords, nameOfPair, toComparisonRow, toDiffTexts, toPairView } from './comparePresentation';

/** Pairs of a comparison, created on demand because there can be 100,000. Positions only count the pairs that match a filter. */
export class ComparedPairs {
  private constructor(
    readonly comparison: Comparison,
    private readonly before: ResultsIndex,
    private readonly after: ResultsIndex,
  ) {}

  static async open(comparison: Comparison, [before, after]: readonly [ComparedSide, ComparedSide]): Promise<ComparedPairs> {
    const open = ({ results }: ComparedSide) => ResultsIndex.open(results.indexPath, results.joinedPath);
    const [first, second] = await Promise.all([open(before), open(after)]);
    return new ComparedPairs(comparison, first, second);
  }

  /** Number of pairs that differ. */
  get differing(): number {
    return this.count('all') - this.comparison.counts.same;
  }

  count(filter: ComparisonFilter): number {
    return filter === 'all' ? this.comparison.kinds.length : this.comparison.counts[filter];
  }

  at(filter: ComparisonFilter, position: number): ComparedPair | undefined {
    if (position < 0 || position >= this.count(filter)) {
      return undefined;
    }
    const { kinds, beforeRows, afterRows, beforeMarks, afterMarks } = this.comparison;
    // Pairs of the same kind are consecutive.
    const at = position + (filter === 'all' ? 0 : kinds.indexOf(comparedKinds.indexOf(filter)));
    return {
      kind: comparedKinds[kinds[at] as number] as ComparedKind,
      before: entryAt(this.before, beforeRows[at] as number),
      after: entryAt(this.after, afterRows[at] as number),
      marks: [beforeMarks[at] as number, afterMarks[at] as number],
    };
  }

  slice(filter: ComparisonFilter, from: number, most: number): readonly ComparedPair[] {
    const count = Math.max(0, Math.min(most, this.count(filter) - from));
    return Array.from({ length: count }, (_, index) => this.at(filter, from + index)).filter(pair => pair !== undefined);
  }

  /** Returns the first words of both answers for each pair. The text of a side without an answer is empty. */
  async previews(pairs: readonly ComparedPair[]): Promise<readonly (readonly [before: string, after: string])[]> {
    const [before, after] = await Promise.all([
      previewsOf(
        this.before,
        pairs.map(pair => pair.before),
      ),
      previewsOf(
        this.after,
        pairs.map(pair => pair.after),
      ),
    ]);
    return pairs.map((_, at) => [before[at] ?? '', after[at] ?? '']);
  }

  /** Returns the joined lines of a pair. Throws an `IndexMismatchError` if a file has been replaced. */
  async lines({ before, after }: ComparedPair): Promise<readonly [string | undefined, string | undefined]> {
    return await Promise.all([before && this.before.read(before), after && this.after.read(after)]);
  }
}

function entryAt(index: ResultsIndex, row: number): ResultEntry | undefined {
  return row < 0 ? undefined : index.entryOfRow(row);
}

async function previewsOf(index: ResultsIndex, entries: readonly (ResultEntry | undefined)[]): Promise<readonly string[]> {
  const known = entries.filter(entry => entry !== undefined);
  const words = (await index.previews(known)).values();
  return entries.map(entry => (entry === undefined ? '' : (words.next().value ?? '')));
}

export interface CompareDependencies extends ResultsDependencies {
  readonly documents: ReadonlyDocuments;
  readonly lifetime: AbortSignal;
  /** Shows the table of a run's results and opens one request with its answer. */
  readonly showRun: (run: ComparedReference, customId: string) => Promise<void>;
}

/** Panel with a comparison. The webview requests rows and pairs as needed. The comparison ends when the panel is closed. */
export class ComparisonPanel {
  private readonly panel: PanelHost<FromComparison, ToComparison>;
  private opening = 0;

  /** Creates a panel, or uses `panel`, which VS Code restored. */
  constructor(
    private readonly deps: CompareDependencies,
    private readonly sides: readonly [before: ComparedSide, after: ComparedSide],
    private readonly pairs: ComparedPairs,
    private readonly head: ComparisonHead,
    panel: vscode.WebviewPanel | undefined,
  ) {
    const { context, log, lifetime } = deps;
    this.panel = new PanelHost<FromComparison, ToComparison>({
      ...{ panel, log, lifetime, extension: context.extensionUri, title: head.title },
      viewType: 'managedAgents.comparison',
      bundle: 'comparison',
      state: { runs: [toReference(sides[0]), toReference(sides[1])] },
      schema: fromComparisonSchema,
      onReady: () => this.panel.post({ type: 'snapshot', head }),
      onMessage: message => this.handle(message),
    });
  }

  private async handle(message: Exclude<FromComparison, { readonly type: 'ready' }>): Promise<void> {
    const { pairs } = this;
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
        return pair && (await this.act(pair, message.act));
      }
      case 'act':
        return await this.showTogether();
      case 'openLink':
        return await openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
    }
  }

  private async act(pair: ComparedPair, act: ComparedPairAct): Promise<void> {
    switch (act) {
      case 'difference':
        return await this.showDifference(pair);
      case 'request':
        return await this.showRequest(pair);
      case 'before':
      case 'after': {
        const entry = pair[act];
        return await (entry && this.deps.showRun(toReference(this.sides[act === 'before' ? 0 : 1]), entry.customId));
      }
    }
  }

  private async open({ filter, place }: Extract<FromComparison, { type: 'open' }>): Promise<void> {
    const opening = ++this.opening;
    const { pairs } = this;
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

  /** Shows both answers to a request in the diff editor. */
  private async showDifference(pair: ComparedPair): Promise<void> {
    const [left, right] = await this.toDocuments(pair);
    const title = `${toLabel(nameOfPair(pair), 60)}: ${changeWords(pair, vscode.l10n.t)}`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true } satisfies vscode.TextDocumentShowOptions);
  }

  /** Shows the first differing pairs in one editor, worse pairs first. */
  private async showTogether(): Promise<void> {
    const { pairs, head } = this;
    const resources: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
    for (const pair of pairs.slice('all', 0, Math.min(maxTogether, pairs.differing))) {
      const [left, right] = await this.toDocuments(pair);
      resources.push([right, left, right]);
    }
    await vscode.commands.executeCommand('vscode.changes', head.title, resources);
  }

  private async toDocuments(pair: ComparedPair): Promise<readonly [left: vscode.Uri, right: vscode.Uri]> {
    const { documents } = this.deps;
    const { before, after, ending } = toDiffTexts(...(await this.pairs.lines(pair)));
    const name = `${toLabel(nameOfPair(pair), 60)}.${ending}`;
    return [documents.create(name, before), documents.create(name, after)];
  }

  private async showRequest({ before, after }: ComparedPair): Promise<void> {
    const side = this.sides[after === undefined ? 0 : 1];
    const { customId = '' } = after ?? before ?? {};
    const results = new OpenResults(this.deps, toReference(side));
    try {
      await results.opened;
      const entry = results.table?.index.entryOfId(customId);
      if (entry === undefined) {
        throw new Error(results.whyNoRequest());
      }
      const request = await results.request(entry, await results.line(entry), this.deps.lifetime);
      await goToLine({ results, column: () => this.panel.column }, entry, request);
    } finally {
      results.dispose();
    }
  }
}

function toReference({ run, withRetries }: ComparedSide): ComparedReference {
  return { runId: run.id, withRetries };
}

/** Maximum number of pairs to open in one editor. */
const maxTogether = 50;
