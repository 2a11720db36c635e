import * as vscode from 'vscode';
import type { ValueColumnName } from '../../../jsonl/querying/valueColumns';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { chooseColumns } from './chooseColumns';
import type { OpenTable } from './openTable';
import type { ResultsTable } from './resultsTable';
import {
  type AskedFields,
  askedColumns,
  readColumnLayout,
  toTableColumns,
  usualColumns,
  valuesIn,
  withColumns,
  writeColumnLayout,
} from './tableColumns';

/** Columns of one panel. The layout is stored per workspace, for all panels. Also reads the values to show. */
export class PanelColumns {
  private hasExpectations = false;
  /** Set for answers about sessions, whose layout is stored for their request file alone. */
  private asked: AskedFields | undefined;
  /** Names of the columns being read, so that they are only requested once. */
  private filling: string | undefined;

  constructor(
    private readonly memento: vscode.Memento,
    private readonly results: Pick<OpenTable, 'table'> & { readonly asked?: () => Promise<AskedFields | undefined> },
    private readonly subject: TableSubject = 'results',
  ) {}

  private get layout(): ColumnLayout {
    const usual = this.asked === undefined ? usualColumns(this.subject, this.hasExpectations) : askedColumns(this.asked);
    return readColumnLayout(this.memento, this.subject, this.asked) ?? usual;
  }

  get shown(): readonly TableColumn[] {
    return toTableColumns(this.layout, vscode.l10n.t, this.subject);
  }

  get values(): readonly ValueColumnName[] {
    return valuesIn(this.layout);
  }

  /** Updates the default columns for the current results. */
  async refresh(): Promise<void> {
    this.hasExpectations = (await this.results.table?.columns.hasExpectations()) ?? false;
    this.asked ??= await this.results.asked?.();
  }

  async set(layout: ColumnLayout | undefined): Promise<void> {
    await writeColumnLayout(this.memento, this.subject, layout, this.asked);
  }

  async add(name: TableColumn['name']): Promise<void> {
    await this.set(withColumns(this.layout, [...this.layout.map(column => column.name), name]));
  }

  /** Asks the user to choose columns. Returns `false` if the user cancels. */
  async choose(signal: AbortSignal): Promise<boolean> {
    const chosen = await chooseColumns(this.layout, this.subject, this.results.table?.fields({ signal }));
    if (chosen === undefined) {
      return false;
    }
    await this.set(chosen ?? undefined);
    return true;
  }

  /** Reads the shown columns that have not been read yet. Returns whether there were any. */
  async fill(table: ResultsTable, signal: AbortSignal): Promise<boolean> {
    const missing = this.values.filter(name => table.columns.get(name) === undefined);
    const key = missing.join('\n');
    if (missing.length === 0 || key === this.filling) {
      return false;
    }
    this.filling = key;
    try {
      await table.columns.need(missing, { signal });
      return true;
    } catch (error) {
      if (signal.aborted) {
        return false;
      }
      throw error;
    } finally {
      this.filling = undefined;
    }
  }
}
