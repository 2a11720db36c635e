import * as z from 'zod';
import type { AssistantServices, Shown } from '../assistantServices';
import { defineTool, type Told, ToolRefusal } from '../assistantTool';
import { findNamedRun } from '../namedRun';
import { batchField, connectionField, fileField, sessionField } from '../toolFields';

const input = z.strictObject({
  kind: z.enum(['file', 'batch', 'results', 'session']),
  file: fileField.optional().describe('Of file; of results instead of batch.'),
  line: z.int().min(1).max(100_000_000).optional().describe('Of file: the line to go to, from 1.'),
  batch: batchField.optional().describe('Of batch and results.'),
  customId: z.string().min(1).max(256).optional().describe('Of results: the request whose answer is opened.'),
  query: z.string().max(2_000).optional().describe('Of results: only rows that this query fits, as in query_results.'),
  session: sessionField.optional().describe('Of session.'),
  event: z.string().min(1).max(256).optional().describe('Of session: the event to go to.'),
  connection: connectionField,
});
type Input = z.infer<typeof input>;

export const showTool = defineTool({
  name: 'show',
  needs: 'metadata',
  icon: '$(eye)',
  description:
    'Shows something to the person in the editor: a line of a request file, the page of a batch, the table of its results (at one request, or filtered by a query), or a session (at one event). Use it to point at what you found, and whenever the person has to act themselves: approve or deny a tool, answer an agent, fetch results, retry. Tells the model nothing but whether it was shown.',
  input,
  acts: true,
  async run(given, services): Promise<Told> {
    if (!(await services.show(await toShown(given, services)))) {
      throw new ToolRefusal('It could not be shown; the person was told why. Check the id with list_batches or list_sessions.');
    }
    return { facts: { shown: given.kind } };
  },
});

async function toShown(
  { kind, file, line, batch, customId, query, session, event, connection }: Input,
  services: AssistantServices,
): Promise<Shown> {
  switch (kind) {
    case 'file':
      return { kind, file: await services.findFile(demand(file, 'file', kind)), line };
    case 'batch':
      return { kind, batch: { connection: await connectionOf(services, connection, batch), batchId: demand(batch, 'batch', kind) } };
    case 'results': {
      const { run } = await findNamedRun(services, { batch, file });
      return { kind, of: { runId: run.id }, customId, query };
    }
    case 'session':
      return {
        kind,
        session: { connection: (await services.reach(connection)).connection.name, sessionId: demand(session, 'session', kind) },
        event,
      };
  }
}

/** A batch of this machine is shown by the connection that it was sent with. */
async function connectionOf(services: AssistantServices, named: string | undefined, batch: string | undefined): Promise<string> {
  const own = services.registry.all().find(({ batchId }) => batch !== undefined && batchId === batch);
  return named ?? own?.connection ?? (await services.reach(undefined)).connection.name;
}

function demand(value: string | undefined, field: string, kind: string): string {
  if (value === undefined) {
    throw new ToolRefusal(`To show a ${kind}, give ${field}. Nothing was shown.`);
  }
  return value;
}
