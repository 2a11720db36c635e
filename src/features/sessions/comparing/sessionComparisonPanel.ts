import * as vscode from 'vscode';
import { PanelHost, type PanelHostOptions } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import type {
  FromSessionComparison,
  SessionComparisonAct,
  SessionComparisonState,
  SessionPairAct,
  ToSessionComparison,
} from '../../../shared/comparison/comparisonProtocol';
import type { ComparedPoint } from '../../../shared/session/comparing/compareSessions';
import { toLabel } from '../../../shared/text';
import { viewTypes } from '../viewTypes';
import type { ComparedSessions } from './comparedSessions';
import { fromSessionComparisonSchema } from '../../../shared/comparison/fromComparisonSchema';
import { type ComparisonContext, toComparisonHead, toComparisonRow, toPointSide } from './sessionComparisonPresentation';

export interface SessionComparisonOptions
  extends Pick<PanelHostOptions<FromSessionComparison, ToSessionComparison>, 'extension' | 'log' | 'panel' | 'lifetime'> {
  readonly both: NonNullable<SessionComparisonState['sessions']>;
  readonly compared: ComparedSessions;
  readonly acts: {
    readonly all: (act: SessionComparisonAct) => Promise<void>;
    readonly pair: (point: ComparedPoint, act: SessionPairAct) => Promise<void>;
    readonly openLink: (href: string) => Promise<void>;
  };
}

/** Panel that compares two sessions. The webview requests the rows and pairs that it shows. */
export class SessionComparisonPanel {
  private readonly panel: PanelHost<FromSessionComparison, ToSessionComparison>;
  private compared: ComparedSessions;

  constructor(private readonly options: SessionComparisonOptions) {
    this.compared = options.compared;
    const { extension, log, panel, both, lifetime } = options;
    this.panel = new PanelHost<FromSessionComparison, ToSessionComparison>({
      ...{ extension, log, panel, lifetime },
      viewType: viewTypes.comparison,
      bundle: 'comparison',
      state: { of: 'sessions', sessions: both } satisfies SessionComparisonState,
      title: toComparisonHead(this.compared, context()).title,
      schema: fromSessionComparisonSchema,
      onReady: () => this.postSnapshot(),
      onMessage: message => this.handle(message),
    });
  }

  /** Shows newly read sessions. */
  show(compared: ComparedSessions): void {
    this.compared = compared;
    this.postSnapshot();
  }

  private async handle(message: Exclude<FromSessionComparison, { readonly type: 'ready' }>): Promise<void> {
    const { acts } = this.options;
    switch (message.type) {
      case 'window': {
        const { filter, from, count } = message;
        const points = this.compared.lists[filter].slice(from, from + count);
        void this.panel.post({ type: 'rows', filter, from, rows: points.map(point => toComparisonRow(point, context())) });
        return;
      }
      case 'open':
        return this.open(message);
      case 'pair': {
        const point = this.compared.lists[message.filter][message.place];
        return point && (await acts.pair(point, message.act));
      }
      case 'act':
        return await acts.all(message.act);
      case 'openLink':
        return await acts.openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
    }
  }

  private open({ filter, place }: Extract<FromSessionComparison, { type: 'open' }>): void {
    const { lists, sides } = this.compared;
    const point = lists[filter][place];
    if (point === undefined) {
      return;
    }
    try {
      const before = toPointSide(point, 0, sides[0], context());
      const after = toPointSide(point, 1, sides[1], context());
      const pair = { row: toComparisonRow(point, context()), ...(before && { before }), ...(after && { after }) };
      void this.panel.post({ type: 'pair', filter, place, pair });
    } catch (error) {
      void this.panel.post({ type: 'pair', filter, place, problem: toLabel(describeError(error), 500) });
    }
  }

  private postSnapshot(): void {
    void this.panel.post({ type: 'snapshot', head: toComparisonHead(this.compared, context()) });
  }
}

function context(): ComparisonContext {
  return { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
}
