import type * as vscode from 'vscode';
import type { Log } from '../../../common/log';
import type { PanelHost } from '../../../common/panels/panelHost';
import type { FromWebview, ResultsHead, ShownState } from '../../../shared/results/resultsProtocol';
import type { OpenResults } from './openResults';
import type { PanelColumns } from './panelColumns';
import type { Arrangement } from './resultsTable';

export type Message<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

/** Actions on results, which the panel delegates. */
export interface PanelActs {
  readonly rows: (arrangement: Arrangement, message: Message<'actOnRows'>) => Promise<void>;
  readonly pair: (arrangement: Arrangement, message: Message<'pair'>) => Promise<void>;
  readonly act: (message: Message<'act'>, arrangement: Arrangement | undefined) => Promise<void>;
  readonly openLink: (href: string) => Promise<void>;
}

/** Parts of the results to show: the pair of a request, or the rows that match a query. */
export interface Shown {
  readonly customId?: string | undefined;
  readonly query?: string | undefined;
}

/** Table shown by a panel. */
export type ShownTable = Pick<OpenResults, 'opened' | 'onDidChange' | 'table' | 'values' | 'check' | 'survey' | 'pair' | 'dispose'>;

export interface ResultsPanelOptions {
  /** Panel that VS Code restored. */
  readonly panel: vscode.WebviewPanel | undefined;
  readonly extension: vscode.Uri;
  readonly log: Log;
  readonly state: ShownState;
  readonly results: ShownTable;
  /** Returns the current header of the table and title of the panel. */
  readonly describe: () => { readonly head: ResultsHead; readonly title: string };
  readonly columns: PanelColumns;
  /** Creates the actions on the table, given its panel. */
  readonly acts: (host: Pick<PanelHost<never, never>, 'column' | 'signal'>) => PanelActs;
}
