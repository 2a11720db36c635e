import * as z from 'zod';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import { finalResultsOf, hasBatch, runOf, type Submission, toRuns } from '../../ledger';
import type { AssistantServices } from '../assistantServices';
import { connectionField, cursorField, defineTool, fileField, limitField, ToolRefusal, type ToolResult } from '../assistantTool';
import { toPath } from '../namedRun';
import { nextInPage, readPageCursor } from '../pageCursor';
import type { SheetEnd } from '../proposedSheets';

export const proposeBatchTool = defineTool({
  name: 'propose_batch',
  needs: 'metadata',
  icon: '$(cloud-upload)',
  description:
    'Opens the Create Batch page for a JSONL request file, with its check, its estimate and its destination. Never sends anything: only the user can send the batch, with the button on the page. Use `only` to propose the requests that changed since the last run, or a sample. Waits up to two minutes and returns sent, closed or open. If it is open, call the tool again to keep waiting. Use it when the user wants to send a request file and check_requests found no errors.',
  input: z.strictObject({
    file: fileField,
    only: z
      .enum(['changed', 'trial'])
      .optional()
      .describe(
        '`changed`: only requests whose current text has no successful result. `trial`: a sample to try first. Default: all requests.',
      ),
    sampleSize: z.int().min(1).optional().describe('For `trial`: number of requests. Default: a suitable number.'),
  }),
  acts: true,
  async run({ file, only, sampleSize }, services, signal): Promise<ToolResult> {
    if (sampleSize !== undefined && only !== 'trial') {
      throw new ToolRefusal('sampleSize is only for a trial. Call again with only: "trial", or without sampleSize.');
    }
    const named = await services.findFile(file);
    const end = await services.showSheet({ file: named, only, sampleSize }, signal);
    return { facts: { file: named.name, ...describeEnd(end) } };
  },
});

const outcomes: Readonly<Record<SheetEnd['kind'], readonly [outcome: string, advice: string]>> = {
  sent: ['sent', 'The user sent the batch. Use list_batches to follow it. Do not propose it again.'],
  closed: ['closed', 'The user closed the page without sending. Do not propose it again unless they ask.'],
  notShown: [
    'not shown',
    'The page was not shown: the user canceled, a problem was reported to them, or there was nothing to send. Ask them before you propose it again.',
  ],
  sending: ['sending', 'The user pressed Send, and the upload is running. Use list_batches to follow it. Do not propose it again.'],
  failed: ['failed', 'Sending failed or its outcome is unknown. The user was told what happened. Use list_batches to check.'],
  open: ['open', 'The page is open, and the user has not decided yet. Call again to keep waiting, or continue without it.'],
};

function describeEnd(end: SheetEnd): object {
  const [outcome, advice] = outcomes[end.kind];
  return { outcome, ...(end.kind === 'sent' && { batches: end.batchIds }), advice };
}

export const listBatchesTool = defineTool({
  name: 'list_batches',
  needs: 'metadata',
  icon: '$(list-unordered)',
  description:
    'Lists the message batches of a service, newest first: ID, state, times, counts of succeeded, errored, canceled and expired requests, the local request file, and whether the results were fetched. Also lists batches sent from this machine that need the user. Use it when the user asks which batches are running or have ended, or which batch belongs to a file. Returns no contents.',
  input: z.strictObject({
    connection: connectionField,
    state: z.enum(['in_progress', 'canceling', 'ended']).optional().describe('Only batches in this state.'),
    limit: limitField(20, 10).describe('Maximum number of batches to read.'),
    after: cursorField,
  }),
  async run({ connection, state, limit, after }, services, signal): Promise<ToolResult> {
    const reached = await services.reach(connection);
    const { name } = reached.connection;
    const start = readPageCursor(after);
    await services.registry.reload();
    const page = await reached.client.batches.list({ limit, signal, ...(start.cursor !== undefined && { cursor: start.cursor }) });
    const shown = page.items
      .map((batch, at) => ({ batch, at }))
      .filter(({ batch, at }) => at >= start.skip && (state === undefined || batch.processing_status === state));
    const indexes = shown.map(({ at }) => at);
    return {
      facts: { connection: name, ...(after === undefined && { needPerson: needingPerson(services, name) }) },
      list: {
        name: 'batches',
        items: shown.map(({ batch }) => toBatch(batch, services.registry.findByBatch(name, batch.id), services)),
        next: nextInPage(start, indexes, page.nextCursor),
      },
    };
  },
});

function toBatch(batch: MessageBatch, submission: Submission | undefined, { registry }: AssistantServices): object {
  const run = submission && runOf(registry.all(), submission);
  const results = run && finalResultsOf(toRuns(registry.all()), run);
  const { id, processing_status: state, request_counts: counts, created_at: created, ended_at: ended, expires_at: expires } = batch;
  return {
    ...{ id, state, created, ended, expires, counts },
    ...(submission !== undefined && {
      file: toPath(submission.source),
      requests: submission.requestCount,
      results: submission.results === undefined ? (state === 'ended' ? 'not fetched' : 'not ready') : 'fetched',
      ...(submission.results !== undefined && results !== undefined && { resultsFile: results.filePath }),
    }),
  };
}

/** Returns the submissions of this machine that failed or whose outcome is unknown, because a person has to act on them. */
function needingPerson({ registry }: AssistantServices, connection: string): readonly object[] {
  return toRuns(registry.all().filter(submission => submission.connection === connection))
    .filter(run => run.submissions.some(({ state }) => state === 'unknown' || (state === 'failed' && !hasBatch(run))))
    .slice(0, 10)
    .map(({ source, startedAt, lead }) => ({ file: toPath(source), startedAt, state: lead.state, problem: lead.problem }));
}
