import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { describeError } from '../../../common/text/describeError';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { hostOf } from '../../../common/text/presentation';
import type { BatchReference, BatchRowWord } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { join, toLabel } from '../../../shared/text';
import { type Connections, reach } from '../../connection';
import {
  type FetchedResults,
  generationsOf,
  isForeign,
  type Run,
  resultsOf,
  runOf,
  type Submission,
  type SubmissionRegistry,
  toRuns,
} from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import type { BatchRow, BatchStore } from '../batchStore';
import { costOfReport, describeAliases, describeCost, describeEstimate, estimatedCost, modelsOf } from '../runCost';
import { describeNext, runWords } from '../runPresentation';
import { type BatchOrRun, batchesOf, hasRest, isTrial, parseReference, type RunRow, rowOfForeign, runOfPart, toReference } from '../runRow';
import { type PageExtras, pageCommands, toPageLink, toPageLinks, toRunHover, toRunPage } from './batchDetails';
import { MarkdownPages } from './markdownPage';

interface BatchTextsDependencies {
  readonly connections: Connections;
  readonly registry: Pick<SubmissionRegistry, 'findByBatch' | 'all'>;
  readonly store: BatchStore;
  readonly presentation: () => BatchContext;
  readonly documents: ReadonlyDocuments;
}

export type BatchDetails = ReturnType<typeof createBatchDetails>;

/** Creates the hovers, pages and documents of batches. */
export function createBatchDetails({ connections, registry, store, presentation, documents }: BatchTextsDependencies) {
  const host = (name: string) => ({ name, host: hostOf(connections.find(name) ?? { baseUrl: '' }) });
  const submissionOf = ({ connection, batchId }: BatchReference) => registry.findByBatch(connection, batchId);
  const knownBatch = (reference: BatchReference) => store.findIn(reference.connection, reference.batchId) ?? submissionOf(reference)?.batch;
  const batchOf = async (reference: BatchReference) => knownBatch(reference) ?? (await retrieve(connections, reference));
  const runOfReference = ({ runId }: BatchOrRun) => (runId === undefined ? undefined : store.run(runId));
  /** Describes the cost of results. Empty if the cost is unknown. */
  const costOf = (run: Run, results: FetchedResults | undefined) => {
    const { prices, currency } = readEstimateSettings();
    const cost = costOfReport(results?.report, modelsOf(run), prices);
    const moneyContext = { ...presentation(), currency };
    return cost === undefined ? '' : join(' ', describeCost(cost, moneyContext), describeAliases(cost.byAlias, moneyContext));
  };
  /** Returns the links and the cost for the page of a run. With `part`, for the page of that part. */
  const extrasOf = (row: Pick<RunRow, 'run' | 'parts'>, part: Submission | undefined): PageExtras => {
    const context = presentation();
    const { translate: t, locale } = context;
    const { run } = row;
    const whole = toReference(row);
    const isOpenTrial = isTrial(run) && !hasRest(generationsOf(toRuns(registry.all()), run));
    // Fetching, showing and retrying apply to the whole run.
    const words: readonly BatchRowWord[] =
      part === undefined
        ? runWords({ ...row, isOnly: true, isOpenTrial })
        : runWords({ run: runOfPart(run, part), parts: row.parts.filter(({ index }) => index === part.group?.index) }).filter(
            word => word === 'cancelable' || word === 'hasSource',
          );
    const { connection, batchId } = part === undefined ? whole : { connection: run.connection, batchId: part.batchId ?? '' };
    const { purpose, firstLine = 0, lastLine = 0 } = part?.selection ?? {};
    const number = numberFormat(locale);
    const source =
      purpose === 'part'
        ? t('Open lines {0} to {1}', number.format(firstLine + 1), number.format(lastLine + 1))
        : t('Open {0}', labelOfSource(run.source, context, 60));
    return {
      links: [
        ...toPageLinks(words, describeNext(words, row, context), part === undefined ? whole : { connection, batchId }, run, context),
        ...(part === undefined ? [] : [toPageLink('managedAgents.batch.open', t('Open Run'), whole)]),
        ...(isForeign(run) ? [] : [toPageLink('managedAgents.batch.openSource', source, { connection, batchId })]),
      ],
      cost: costOf(run, part === undefined ? resultsOf(run) : part.results),
    };
  };
  const isKnown = (reference: BatchOrRun) => runOfReference(reference) !== undefined || knownBatch(reference) !== undefined;
  const page = async (reference: BatchOrRun) => {
    const whole = runOfReference(reference);
    if (whole !== undefined) {
      return toRunPage(whole, undefined, host(whole.run.connection), presentation(), extrasOf(whole, undefined));
    }
    const batch = await batchOf(reference);
    const submission = submissionOf(reference);
    const run = submission && runOf(registry.all(), submission);
    const row = (run && store.run(run.id)) ?? rowOfForeign(reference.connection, batch);
    const extras = extrasOf(row, row.run.parts > 1 ? submission : undefined);
    return toRunPage(row, batch, host(reference.connection), presentation(), extras);
  };
  const pages = new MarkdownPages<BatchOrRun>({
    viewType: 'managedAgents.batch',
    commands: pageCommands,
    title: reference => {
      const source = (runOfReference(reference)?.run ?? submissionOf(reference))?.source;
      const context = presentation();
      return source === undefined ? toLabel(reference.batchId, 80) : context.translate('Batch of {0}', labelOfSource(source, context));
    },
    text: reference =>
      page(reference).catch(error => escapeMarkdown(vscode.l10n.t("Couldn't read: {0}", toLabel(describeError(error), 500)))),
  });
  return {
    showPage: (reference: BatchOrRun) => pages.show(reference),
    restorePage: (panel: vscode.WebviewPanel, state: unknown) => pages.restore(panel, parseReference(state)),
    hover: (row: BatchRow) => {
      const context = presentation();
      const shown = row.kind === 'file' ? row.runs[0] : row;
      if (shown?.kind !== 'run') {
        return '';
      }
      const { prices, currency } = readEstimateSettings();
      const estimated = estimatedCost(shown.run, prices);
      const costs = {
        actual: costOf(shown.run, resultsOf(shown.run)),
        estimate: estimated === undefined ? '' : describeEstimate(estimated, { ...context, currency }),
      };
      return toRunHover(shown, host(shown.run.connection), costs, context, row.kind === 'file' ? row.runs.length : 1);
    },
    /** Opens the service's JSON of a batch, or of the batches of a run. */
    openJson: async (reference: BatchOrRun) => {
      const { batchId, runId } = reference;
      const whole = runOfReference(reference);
      const json = `${JSON.stringify(whole === undefined ? await batchOf(reference) : batchesOf(whole), null, 2)}\n`;
      const uri = documents.create(`${runId === undefined ? batchId : `run-${runId.slice(0, 8)}`}.json`, json);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    },
    /** Refreshes open pages, except pages that would need a request to the service. */
    refresh: () => pages.refresh(isKnown),
    dispose: () => pages.dispose(),
  };
}

async function retrieve(connections: Connections, { connection, batchId }: BatchReference): Promise<MessageBatch> {
  // Restored pages call this too, so the call does not count as the user's own request.
  const { client } = await reach(connections, connection, 'look');
  return (await client.batches.retrieve(batchId)).data;
}
