import * as vscode from 'vscode';
import { askChoice, runSteps, type Step } from '../../../common/asking/askSteps';
import { csvDelimiters } from '../../../jsonl/building/rowsFormat';
import type { RowsFormat } from '../../../jsonl/building/rowsReport';
import { nameOf } from '../documents/requestFile';

type CsvFormat = Extract<RowsFormat, { kind: 'csv' }>;

/** Asks for the format of a CSV file. Rejects with `CancelledError` on Escape. */
export async function askCsvFormat(uri: vscode.Uri, current: CsvFormat): Promise<CsvFormat> {
  const title = vscode.l10n.t('How is {0} written?', nameOf(uri));
  let { delimiter, hasHeader } = current;
  const askDelimiter: Step = async canGoBack => {
    delimiter = await askChoice({
      title,
      step: 1,
      totalSteps: 2,
      canGoBack,
      placeholder: vscode.l10n.t('Choose the delimiter'),
      choices: csvDelimiters.map(value => ({ label: delimiterName(value), value })),
      active: delimiter,
    });
    return askHeader;
  };
  const askHeader: Step = async canGoBack => {
    const first = vscode.l10n.t('Column names');
    const none = vscode.l10n.t('A row');
    const answer = await askChoice({
      title,
      step: 2,
      totalSteps: 2,
      canGoBack,
      placeholder: vscode.l10n.t('Select what the first line contains'),
      choices: [
        { label: first, value: 'names' },
        { label: none, value: 'row', detail: vscode.l10n.t('column1, column2, …') },
      ],
      active: hasHeader ? 'names' : 'row',
    });
    hasHeader = answer === 'names';
    return undefined;
  };
  await runSteps(askDelimiter);
  return { kind: 'csv', delimiter, hasHeader };
}

function delimiterName(delimiter: string): string {
  switch (delimiter) {
    case ',':
      return vscode.l10n.t('Commas');
    case ';':
      return vscode.l10n.t('Semicolons');
    case '\t':
      return vscode.l10n.t('Tabs');
    default:
      return vscode.l10n.t('Bars ({0})', delimiter);
  }
}
