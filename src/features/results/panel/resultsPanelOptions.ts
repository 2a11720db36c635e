import type * as vscode from 'vscode';
import type { FromWebview, ResultsHead, ShownState } from '../../../shared/results/resultsProtocol';
import type { OpenResults } from './openResults';
import type { PanelColumns } from './panelColumns';
import type { Arrangement } from './resultsTable';

export type Message<T extends FromWebview['type']> = Extract<FromWebview, { readonly type: T }>;

/** What the panel leaves to others: what is done with results, not how they are shown. */
export interface PanelActs {
  readonly rows: (arrangement: Arrangement, message: Message<'actOnRows'>) => Promise<void>;
  readonly pair: (arrangement: Arrangement, message: Message<'pair'>) => Promise<void>;
  readonly act: (message: Message<'act'>, arrangement: Arrangement | undefined) => Promise<void>;
  readonly openLink: (href: string) => Promise<void>;
}

/** What of the results is wanted: the pair of a request, those that a query fits. */
export interface Shown {
  readonly customId?: string | undefined;
  readonly query?: string | undefined;
}

/** What one panel shows the rows of. */
export type ShownTable = Pick<OpenResults, 'opened' | 'onDidChange' | 'table' | 'values' | 'check' | 'survey' | 'pair' | 'dispose'>;

export interface ResultsPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly extension: vscode.Uri;
  readonly state: ShownState;
  readonly results: ShownTable;
  /** What stands above the table, and on the panel's tab, as things stand. */
  readonly describe: () => { readonly head: ResultsHead; readonly title: string };
  readonly columns: PanelColumns;
  readonly acts: PanelActs;
  /** An act of the user that failed, and how it is told. */
  readonly onError: (error: unknown) => void;
  /** Called when a message does not fit the protocol, or reading failed. */
  readonly warn: (message: string) => void;
}
