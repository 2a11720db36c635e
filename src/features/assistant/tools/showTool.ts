import * as z from 'zod';
import type { BatchReference } from '../../../contributions';
import type { AssistantServices, Shown } from '../assistantServices';
import { batchField, connectionField, defineTool, fileField, sessionField, ToolRefusal, type ToolResult } from '../assistantTool';
import { findNamedRun } from '../namedRun';

const input = z.strictObject({
  kind: z.enum(['file', 'batch', 'results', 'session']),
  file: fileField.optional().describe('For file. For results, use it instead of batch.'),
  line: z.int().min(1).max(100_000_000).optional().describe('For file: the line to go to, 1-based.'),
  batch: batchField.optional().describe('For batch and results.'),
  customId: z.string().min(1).max(256).optional().describe('For results: the request whose answer to open.'),
  query: z.string().max(2_000).optional().describe('For results: only rows that match this query, as in query_results.'),
  session: sessionField.optional().describe('For session.'),
  event: z.string().min(1).max(256).optional().describe('For session: the event to go to.'),
  connection: connectionField,
});
type Input = z.infer<typeof input>;

export const showTool = defineTool({
  name: 'show',
  needs: 'metadata',
  icon: '$(eye)',
  description:
    'Opens something in the editor for the user: a line of a request file, the page of a batch, its results table (at one request, or filtered by a query), or a session (at one event). Use it to show what you found, and when the user has to act: approve or deny a tool, answer an agent, fetch results, or retry. Returns only whether it was shown.',
  input,
  acts: true,
  async run(given, services, signal): Promise<ToolResult> {
    if (!(await services.show(await toShown(given, services, signal)))) {
      throw new ToolRefusal('Could not show it. The user was told why. Check the ID with list_batches or list_sessions.');
    }
    return { facts: { shown: given.kind } };
  },
});

async function toShown(
  { kind, file, line, batch, customId, query, session, event, connection }: Input,
  services: AssistantServices,
  signal: AbortSignal,
): Promise<Shown> {
  switch (kind) {
    case 'file':
      return { kind, file: await services.findFile(demand(file, 'file', kind)), line };
    case 'batch':
      return { kind, batch: await findBatch(services, connection, demand(batch, 'batch', kind), signal) };
    case 'results': {
      const { run } = await findNamedRun(services, { batch, file });
      return { kind, of: { runId: run.id }, customId, query };
    }
    case 'session': {
      const sessionId = demand(session, 'session', kind);
      const reached = await services.reach(connection);
      // Fails if the session does not exist, before a panel opens.
      await reached.client.sessions.retrieve(sessionId, { signal });
      return { kind, session: { connection: reached.connection.name, sessionId }, event };
    }
  }
}

/**
 * Returns a batch with its connection. A batch sent from this machine uses the connection that sent it. Any other batch must exist on the
 * service.
 */
async function findBatch(
  services: AssistantServices,
  named: string | undefined,
  batchId: string,
  signal: AbortSignal,
): Promise<BatchReference> {
  const own = services.registry.all().find(submission => submission.batchId === batchId);
  if (own !== undefined && (named === undefined || named === own.connection)) {
    return { connection: own.connection, batchId };
  }
  const { client, connection } = await services.reach(named);
  await client.batches.retrieve(batchId, { signal });
  return { connection: connection.name, batchId };
}

function demand(value: string | undefined, field: string, kind: string): string {
  if (value === undefined) {
    throw new ToolRefusal(`To show a ${kind}, give ${field}. Nothing was shown.`);
  }
  return value;
}
