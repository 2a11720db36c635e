import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { openWhereShown } from '../../../common/documents/tabs';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { HeadAct, PairAct } from '../../../shared/results/resultsProtocol';
import { openLink } from '../../sessions';
import { type CopiedColumns, copyTableRows, copyText, pathForSelected, reportWritten } from '../exporting/copyTableRows';
import { toRequestDocument } from '../table/pairPresentation';
import type { PanelActs } from '../table/resultsPanel';
import type { ResultsTable } from '../table/resultsTable';
import type { OpenRequests } from './openRequests';
import { paramsOf } from './requestPresentation';

export interface RequestActsContext {
  readonly requests: OpenRequests;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  /** Aborted when the panel is closed. */
  readonly lifetime: AbortSignal;
}

/** Creates the actions on the rows of a table of requests. */
export function createRequestActs({ requests, jobs, lifetime }: RequestActsContext): PanelActs {
  return {
    rows: async (arrangement, { ranges, act }) => {
      const { table, uri, path } = requests;
      const rows = table?.rowsOf(arrangement, ranges);
      if (table === undefined || rows === undefined || act === 'expect' || act === 'saveResults') {
        return;
      }
      if (act !== 'saveRequests') {
        return await copyTableRows(table, rows, act, requestColumns(table), lifetime);
      }
      const source = { path, indexPath: table.joined.indexPath, rows };
      const outPath = await pathForSelected(uri);
      const title = vscode.l10n.t('Writing requests');
      const { written } = await withProgress(title, lifetime, (signal, reportProgress) =>
        jobs.run('writeRows', { ...source, outPath }, { signal, onProgress: toReport(reportProgress) }),
      );
      reportWritten(outPath, written);
    },
    pair: async (arrangement, { place, act }) => {
      const entry = requests.table?.entryAt(arrangement, place);
      if (entry !== undefined) {
        await actOnRequest(requests, entry, act);
      }
    },
    act: ({ act }) => actOnFile(requests.uri, act),
    openLink,
  };
}

async function actOnFile(uri: vscode.Uri, act: HeadAct): Promise<void> {
  switch (act) {
    case 'createBatch':
      return await runCommand('managedAgents.batch.create', uri);
    case 'fix':
      return await runCommand('managedAgents.file.fix', uri);
    case 'openRequests':
      await vscode.commands.executeCommand('vscode.open', uri);
      return;
    case 'save':
      await vscode.workspace.save(uri);
      return;
    default:
      return;
  }
}

async function actOnRequest(requests: OpenRequests, entry: ResultEntry, act: PairAct): Promise<void> {
  const { uri } = requests;
  switch (act) {
    case 'openInEditor':
      return await runCommand('managedAgents.request.edit', uri, entry.line);
    case 'goToLine':
      return await openWhereShown(uri, vscode.ViewColumn.Beside, new vscode.Range(entry.line, 0, entry.line, 0));
    case 'copyId':
      return await copyText(entry.customId);
    case 'copyRequest': {
      const line = await requests.line(entry);
      const params = paramsOf(line);
      return await copyText(params === undefined ? line : toRequestDocument(params));
    }
    default:
      return;
  }
}

/** Returns the columns of copied requests. */
function requestColumns({ columns }: Pick<ResultsTable, 'columns'>): CopiedColumns {
  const valueIn = (name: 'model' | 'problem', { row }: ResultEntry): string => {
    const column = columns.get(name);
    return column?.values[column.of[row] ?? 0] ?? '';
  };
  return {
    names: ['line', 'custom_id', 'model', 'problems', 'input_tokens_estimated', 'max_tokens', 'first_words'],
    toValues: (entry, words) => {
      const { line, customId, inputTokens, outputTokens } = entry;
      return [line + 1, customId, valueIn('model', entry), valueIn('problem', entry), inputTokens, outputTokens, words];
    },
  };
}
