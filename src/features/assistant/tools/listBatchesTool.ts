import * as z from 'zod';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import { finalResultsOf, hasBatch, runOf, type Submission, toRuns } from '../../ledger';
import type { AssistantServices } from '../assistantServices';
import { defineTool, type ToolResult } from '../assistantTool';
import { toPath } from '../namedRun';
import { nextInPage, readPageCursor } from '../pageCursor';
import { connectionField, cursorField, limitField } from '../toolFields';

const input = z.strictObject({
  connection: connectionField,
  state: z.enum(['in_progress', 'canceling', 'ended']).optional().describe('Only batches in this state.'),
  limit: limitField(20, 10).describe('Most batches that are looked at.'),
  after: cursorField,
});

export const listBatchesTool = defineTool({
  name: 'list_batches',
  needs: 'metadata',
  icon: '$(list-unordered)',
  description:
    'Lists the message batches of a service, newest first: id, state, times, counts of succeeded, errored, canceled and expired requests, the request file of this machine that each was made from, and whether its results were fetched. Also tells what was sent from here and needs the person. Use it when the user asks what runs, what has ended, or which batch belongs to a file. Tells no contents.',
  input,
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
