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
    'Proposes to send a JSONL request file as one message batch: opens a sheet with the check, the estimate and the destination in front of the person. It never sends anything itself: only a press of the person on the button of the sheet does. With `only` the sheet is of what changed since the last run, or of a sample. Waits up to two minutes and answers sent, closed, or open; while it is open, call it again to wait on. Use it when the user wants a request file sent, after check_requests found no errors.',
  input: z.strictObject({
    file: fileField,
    only: z
      .enum(['changed', 'trial'])
      .optional()
      .describe(
        '`changed`: only requests without a kept success for what they say now. `trial`: a sample, to see how they fare first. Without it all.',
      ),
    sampleSize: z.int().min(1).optional().describe('With `trial`: how many requests. Without it a usual number.'),
  }),
  acts: true,
  async run({ file, only, sampleSize }, services, signal): Promise<ToolResult> {
    if (sampleSize !== undefined && only !== 'trial') {
      throw new ToolRefusal('sampleSize is the size of a trial. Call again with only: "trial", or without sampleSize.');
    }
    const named = await services.findFile(file);
    const end = await services.showSheet({ file: named, only, sampleSize }, signal);
    return { facts: { file: named.name, ...describeEnd(end) } };
  },
});

const outcomes: Readonly<Record<SheetEnd['kind'], readonly [outcome: string, advice: string]>> = {
  sent: ['sent', 'The person sent it. list_batches tells how it goes; do not propose it again.'],
  closed: ['closed', 'The person closed the sheet without sending. Do not propose it again unless they ask.'],
  notShown: [
    'not shown',
    'No sheet was shown: the person turned back from a question, or was told what stands in the way, or that there is nothing to send. Ask them before you propose it again.',
  ],
  sending: ['sending', 'The person pressed the button and it is on its way. list_batches tells how it goes; do not propose it again.'],
  failed: ['failed', 'Nothing can be said to have been sent; the person has been told what happened. list_batches tells what is known.'],
  open: ['open', 'The sheet is in front of the person, who decides. Call again to wait on, or go on without it.'],
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
    'Lists the message batches of a service, newest first: id, state, times, counts of succeeded, errored, canceled and expired requests, the request file of this machine that each was made from, and whether its results were fetched. Also tells what was sent from here and needs the person. Use it when the user asks what runs, what has ended, or which batch belongs to a file. Tells no contents.',
  input: z.strictObject({
    connection: connectionField,
    state: z.enum(['in_progress', 'canceling', 'ended']).optional().describe('Only batches in this state.'),
    limit: limitField(20, 10).describe('Most batches that are looked at.'),
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
