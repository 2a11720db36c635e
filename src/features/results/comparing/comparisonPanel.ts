import * as vscode from 'vscode';
import { AskedPanel } from '../../../common/documents/askedPanel';
import { describeError } from '../../../common/text/describeError';
import type {
  ComparedPairAct,
  ComparedRuns,
  ComparisonAct,
  ComparisonHead,
  FromComparison,
  ToComparison,
} from '../../../shared/comparison/comparisonProtocol';
import { toLabel } from '../../../shared/text';
import { toAnswerSide } from '../panel/pairPresentation';
import type { ComparedPairs } from './comparedPairs';
import type { ComparedPair } from './comparePresentation';
import { toComparisonRow } from './comparisonPresentation';
import { fromComparisonSchema } from './fromComparisonSchema';

export interface ComparisonPanelOptions {
  readonly extension: vscode.Uri;
  /** Panel restored by VS Code, if any. */
  readonly panel?: vscode.WebviewPanel;
  readonly runs: NonNullable<ComparedRuns['runs']>;
  readonly head: ComparisonHead;
  readonly pairs: ComparedPairs;
  readonly acts: {
    readonly all: (act: ComparisonAct) => Promise<void>;
    readonly pair: (pair: ComparedPair, act: ComparedPairAct) => Promise<void>;
    readonly openLink: (href: string) => Promise<void>;
  };
  /** Called when an action of the user fails. */
  readonly onError: (error: unknown) => void;
  readonly warn: (message: string) => void;
  /** Closes the panel when aborted. */
  readonly lifetime: AbortSignal;
}

/** Panel with a comparison. The webview requests rows and pairs as needed. Ends when the panel is closed. */
export class ComparisonPanel {
  private readonly panel: AskedPanel<FromComparison, ToComparison>;
  private opening = 0;

  constructor(private readonly options: ComparisonPanelOptions) {
    const { head, runs } = options;
    this.panel = new AskedPanel({
      ...options,
      viewType: 'managedAgents.comparison',
      name: 'comparison',
      title: head.title,
      state: { runs },
      schema: fromComparisonSchema,
      handle: message => this.handle(message),
    });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.column;
  }

  private async handle(message: FromComparison): Promise<void> {
    const { pairs, acts, head } = this.options;
    switch (message.type) {
      case 'ready':
        this.panel.post({ type: 'snapshot', locale: vscode.env.language, translations: vscode.l10n.bundle ?? {}, head });
        return;
      case 'window': {
        const { filter, from, count } = message;
        const shown = pairs.slice(filter, from, count);
        const words = await pairs.previews(shown);
        this.panel.post({ type: 'rows', filter, from, rows: shown.map((pair, at) => toComparisonRow(pair, words[at] ?? ['', ''])) });
        return;
      }
      case 'open':
        return await this.open(message);
      case 'pair': {
        const pair = pairs.at(message.filter, message.place);
        return pair && (await acts.pair(pair, message.act));
      }
      case 'act':
        return await acts.all(message.act);
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
      const [[before, after], [words]] = await Promise.all([pairs.lines(pair), pairs.previews([pair])]);
      const context = { translate: vscode.l10n.t, locale: vscode.env.language };
      if (opening === this.opening) {
        this.panel.post({
          ...{ type: 'pair', filter, place },
          pair: {
            row: toComparisonRow(pair, words ?? ['', '']),
            ...(before !== undefined && { before: toAnswerSide(before, context) }),
            ...(after !== undefined && { after: toAnswerSide(after, context) }),
          },
        });
      }
    } catch (error) {
      this.panel.post({ type: 'pair', filter, place, problem: toLabel(describeError(error), 500) });
    }
  }
}
