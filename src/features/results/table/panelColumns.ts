import * as vscode from 'vscode';
import { isValueColumn, type ValueColumnName } from '../../../jsonl/querying/valueColumns';
import { columnLayoutSchema } from '../../../shared/results/fromResultsSchema';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { chooseColumns } from './chooseColumns';
import type { OpenTable, ResultsTable } from './resultsTable';
import { titleOf, usualColumns, withColumns } from './tableColumns';

/** Fields that a request file, given by its URI, asks for in answers about sessions. */
export interface AskedFields {
  readonly source: string;
  readonly fields: readonly string[];
}

const sessionColumns: ColumnLayout = [{ name: 'fields.title' }, { name: 'fields.state' }, { name: 'status' }];

const toColumn = (field: string) => ({ name: `$.${field}` as const });

/** Columns of one panel, and their values. The layout is stored in the workspace and shared by all panels. */
export class PanelColumns {
  private hasExpectations = false;
  /** Set for answers about sessions. Each request file of such answers has its own layout. */
  private asked: AskedFields | undefined;
  /** Names of the columns being read. Prevents a second read. */
  private filling: string | undefined;

  constructor(
    private readonly memento: vscode.Memento,
    private readonly results: Pick<OpenTable, 'table'> & { readonly asked?: () => Promise<AskedFields | undefined> },
    private readonly subject: TableSubject = 'results',
  ) {}

  private get key(): string {
    const key = `managedAgents.${this.subject}.columns`;
    return this.asked === undefined ? key : `${key} ${this.asked.source}`;
  }

  private get layout(): ColumnLayout {
    const { memento, key, asked, subject, hasExpectations } = this;
    const stored = columnLayoutSchema.safeParse(memento.get(key)).data;
    // For questions about sessions, the table shows the session and the requested fields.
    return stored ?? (asked === undefined ? usualColumns(subject, hasExpectations) : [...sessionColumns, ...asked.fields.map(toColumn)]);
  }

  /** Columns of the layout with their titles, each once. */
  get shown(): readonly TableColumn[] {
    const titled = this.layout.map(column => ({ ...column, title: titleOf(column.name, vscode.l10n.t, this.subject) }));
    return [...new Map(titled.map(column => [column.name, column])).values()];
  }

  /** Columns whose values must be read from the results. */
  get values(): readonly ValueColumnName[] {
    return this.layout.flatMap(({ name }) => (isValueColumn(name) ? [name] : []));
  }

  /** Updates the default columns for the current results. */
  async refresh(): Promise<void> {
    this.hasExpectations = (await this.results.table?.columns.hasExpectations()) ?? false;
    this.asked ??= await this.results.asked?.();
  }

  /** Stores the layout in this workspace. `undefined` resets it to the default. */
  async set(layout: ColumnLayout | undefined): Promise<void> {
    await this.memento.update(this.key, layout);
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

  /** Reads the values of shown columns that were not read yet. Returns whether there were such columns. */
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
