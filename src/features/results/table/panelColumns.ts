import * as vscode from 'vscode';
import type { Translate } from '../../../common/text/translate';
import type { FieldsSurvey } from '../../../jsonl/querying/surveyFields';
import { isDataColumn, isValueColumn, type JsonPath, toJsonPath, type ValueColumnName } from '../../../jsonl/querying/valueColumns';
import { numberFormat } from '../../../shared/formats';
import { columnLayoutSchema } from '../../../shared/results/fromResultsSchema';
import type { ColumnLayout, TableColumn, TableSubject } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import type { OpenTable, ResultsTable } from './resultsTable';

type ColumnName = TableColumn['name'];

/** Columns of all result tables. */
export const knownColumns: readonly ColumnName[] = [
  ...(['id', 'status', 'words', 'test', 'line', 'stop_reason', 'model', 'input_tokens', 'output_tokens'] as const),
];

/** Columns of all request tables. */
const requestColumns: readonly ColumnName[] = ['id', 'problem', 'words', 'line', 'model', 'input_tokens', 'output_tokens'];

/** Returns the default columns. Requests have all columns. Results have the columns that fit next to the answer. */
function usualColumns(subject: TableSubject, hasExpectations: boolean): ColumnLayout {
  const names = subject === 'requests' ? requestColumns : knownColumns.slice(0, hasExpectations ? 4 : 3);
  return names.map(name => ({ name }));
}

/** Fields that a request file, given by its URI, asks for in answers about sessions. */
export interface AskedFields {
  readonly source: string;
  readonly fields: readonly string[];
}

/**
 * Returns a layout with only these columns. Existing columns keep their order. New columns are last, so that the answer stays on screen.
 */
export function withColumns(layout: ColumnLayout, names: readonly ColumnName[]): ColumnLayout {
  const added = names.filter(name => !layout.some(column => column.name === name)).map(name => ({ name }));
  return [...layout.filter(({ name }) => names.includes(name)), ...added];
}

export function titleOf(name: ColumnName, t: Translate, subject: TableSubject = 'results'): string {
  const isRequest = subject === 'requests';
  const titles: Partial<Record<ColumnName, string>> = {
    problem: t('Problems'),
    line: t('Line'),
    id: t('ID'),
    status: t('Status'),
    stop_reason: t('Stop reason'),
    input_tokens: isRequest ? t('Tokens') : t('Input tokens'),
    output_tokens: isRequest ? 'max_tokens' : t('Output tokens'),
    model: t('Model'),
    test: t('Expected'),
    words: isRequest ? t('Prompt') : t('Answer'),
  };
  return titles[name] ?? toLabel(name.replace(/^(?:\$|fields)\./, ''), 40);
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

interface ColumnItem extends vscode.QuickPickItem {
  /** `undefined` for the item that asks for a field. */
  readonly name: TableColumn['name'] | undefined;
}

/** Asks for the columns to show. `found` are fields of JSON answers. Returns `null` for the defaults, `undefined` if the user cancels. */
async function chooseColumns(layout: ColumnLayout, subject: TableSubject, found: Promise<FieldsSurvey> | undefined) {
  const { t } = vscode.l10n;
  const isAnswer = subject === 'results';
  const chosen = await vscode.window.showQuickPick(toItems(layout, subject, found), {
    canPickMany: true,
    title: isAnswer ? t('Columns of Results Tables') : t('Columns of Request Tables'),
    placeHolder: t('Choose the columns to show. Drag their headers to reorder them.'),
  });
  if (chosen === undefined) {
    return undefined;
  }
  const names = chosen.flatMap(({ name }) => name ?? []);
  if (chosen.every(({ name }) => name !== undefined)) {
    return names.length === 0 ? null : withColumns(layout, names);
  }
  const text = await vscode.window.showInputBox({
    title: isAnswer ? t('Add JSON Answer Fields...') : t('Add Request Fields...'),
    prompt: t('JSON paths, separated by commas'),
    placeHolder: isAnswer ? 'label, items.0.score' : 'params.temperature, params.metadata.user_id',
    validateInput: written => (toJsonPaths(written) === undefined ? t('Field, such as top_p or metadata.user_id') : undefined),
  });
  const added = toJsonPaths(text ?? '');
  return added === undefined || added.length === 0 ? undefined : withColumns(layout, [...names, ...added]);
}

/** Parses paths separated by commas. Returns `undefined` if one of them is malformed. */
export function toJsonPaths(text: string): readonly JsonPath[] | undefined {
  const paths = text.split(',').flatMap(part => (part.trim() === '' ? [] : [toJsonPath(part)]));
  return paths.includes(undefined) ? undefined : paths.filter(path => path !== undefined);
}

async function toItems(
  layout: ColumnLayout,
  subject: TableSubject,
  found: Promise<FieldsSurvey> | undefined,
): Promise<readonly ColumnItem[]> {
  const { t } = vscode.l10n;
  const isAnswer = subject === 'results';
  // The fields are only suggestions. If they can't be read, the other columns can still be chosen.
  const { read, fields } = (await found?.catch(() => undefined)) ?? { read: 0, fields: [] };
  const counts = new Map(fields.map(({ name, count }) => [name as string, count]));
  const number = numberFormat(vscode.env.language);
  const shown = layout.flatMap(({ name }) => (isDataColumn(name) ? [name] : []));
  const describe = (name: string): string => {
    if (name.startsWith('fields.')) {
      return t('extra field of the request');
    }
    const count = number.format(counts.get(name) ?? 0);
    return t('in {0} of {1}', count, number.format(read));
  };
  const toItem = (name: TableColumn['name']): ColumnItem => ({
    name,
    label: titleOf(name, t, subject),
    picked: layout.some(column => column.name === name),
    ...(isDataColumn(name) && counts.has(name) && { description: describe(name) }),
  });
  const separator = { kind: vscode.QuickPickItemKind.Separator, name: undefined };
  return [
    ...(isAnswer ? knownColumns : requestColumns).map(toItem),
    { ...separator, label: isAnswer ? t('JSON answer fields') : t('Request fields') },
    ...[...new Set([...shown, ...fields.map(({ name }) => name)])].map(toItem),
    { name: undefined, label: isAnswer ? t('Add JSON Answer Fields...') : t('Add Request Fields...') },
  ];
}
