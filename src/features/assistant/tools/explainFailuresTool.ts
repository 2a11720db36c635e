import * as z from 'zod';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { statusCounts } from '../../../jsonl/results/resultsReport';
import type { RetryGroup } from '../../../jsonl/retrying/planRetry';
import { describeAct, describeCause, describeReason, proposedAct, retrySourcesOf } from '../../batches/api';
import { toRuns } from '../../ledger';
import { defineTool, type ToolResult, ToolRefusal } from '../assistantTool';
import { inEnglish } from '../inEnglish';
import { demandConsent, findNamedRun } from '../namedRun';
import { batchField, fileField } from '../toolFields';

const input = z.strictObject({
  batch: batchField.optional(),
  file: fileField.optional().describe('Instead of batch: the request file, or its file of results.'),
});

export const explainFailuresTool = defineTool({
  name: 'explain_failures',
  needs: 'read',
  icon: '$(error)',
  description:
    'Explains, offline, what went wrong in a batch whose results were fetched: groups every request without a good answer by cause (errors, cut short, refused, expired, missing), with counts, example ids and lines, why, whether sending it again is worth its price, what would have to change first, and what would fail again. Use it when the user asks why requests failed, or what to retry. Writes and sends nothing.',
  input,
  async run(given, services, signal): Promise<ToolResult> {
    const { run, results } = await findNamedRun(services, given);
    await demandConsent(services, run.connection, signal);
    const sources = retrySourcesOf(toRuns(services.registry.all()), run, services.registry);
    if (sources === undefined) {
      throw new ToolRefusal('The results of this batch have not been fetched. Ask the person to fetch them.');
    }
    const source = { ...sources.plan, mostTokens: services.mostTokens(), now: services.now() };
    const plan = await services.jobs.run('planRetry', source, { signal });
    const index = await ResultsIndex.open(source.indexPath, source.joinedPath);
    return {
      facts: {
        answeredWell: plan.kept,
        withoutGoodAnswer: plan.groups.reduce((sum, { count }) => sum + count, 0),
        causes: plan.groups.length,
        waitingInOtherBatches: plan.underWay,
        filesChangedSince: plan.changedFiles.length,
        counts: statusCounts(results.report),
        advice:
          plan.groups.length === 0
            ? 'Every request has a good answer: there is nothing to retry.'
            : 'The person can write and send the retry with the command "Retry Requests"; show opens the results for them.',
      },
      list: { name: 'groups', items: plan.groups.map(group => toGroup(group, index, services.now())) },
    };
  },
});

function toGroup(group: RetryGroup, index: ResultsIndex, now: number): object {
  const context = { translate: inEnglish, locale: 'en', now };
  return {
    count: group.count,
    cause: describeCause(group, context),
    isWorthSendingAgain: group.isSensible,
    why: describeReason(group, context),
    whatToDo: describeAct(group, proposedAct(group), context),
    query: queryFor(group),
    models: group.models.slice(0, 5).map(({ model, requests }) => ({ model, requests })),
    examples: group.rows.slice(0, 5).flatMap(row => index.entryOfRow(row)?.customId ?? []),
    lines: [...group.lines.subarray(0, 10)].map(line => line + 1),
    goneFromTheirFiles: group.gone,
  };
}

/** Returns a query for the failures of a group. It also finds other failures of the same type. `undefined` for failures without a row. */
function queryFor({ kind, errorType, stopReason }: RetryGroup): string | undefined {
  switch (kind) {
    case 'failed':
      return errorType === undefined ? 'status=failed' : `status=failed and error~${JSON.stringify(errorType)}`;
    case 'cut_short':
      return stopReason === undefined ? 'status=cut_short' : `stop=${JSON.stringify(stopReason)}`;
    case 'missing':
      return undefined;
    default:
      return `status=${kind}`;
  }
}
