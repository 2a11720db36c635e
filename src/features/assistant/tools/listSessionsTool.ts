import * as z from 'zod';
import type { Session } from '../../../client/resources/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { atMost } from '../../../common/atMost';
import { describeRest, restIn, sessionStates, stateOf } from '../../../shared/session/facts/sessionState';
import { restOf } from '../../../shared/session/facts/turn';
import { nextAskLog, readAsks } from '../../sessions/api';
import { defineTool, type ToolResult } from '../assistantTool';
import { formatMoney } from '../formatMoney';
import { inEnglish } from '../inEnglish';
import { nextInPage, readPageCursor } from '../pageCursor';
import { connectionField, cursorField, limitField } from '../toolFields';

const input = z.strictObject({
  connection: connectionField,
  state: z.enum(sessionStates).optional().describe('Only sessions in this state; "waiting" are those that wait for the person.'),
  agent: z.string().min(1).max(256).optional().describe('Only sessions of the agent with this id.'),
  limit: limitField(20, 10).describe('Most sessions that are looked at.'),
  after: cursorField,
});

export const listSessionsTool = defineTool({
  name: 'list_sessions',
  needs: 'metadata',
  icon: '$(comment-discussion)',
  description:
    'Lists the managed-agent sessions of a service: id, state, what each waits for (the tools that ask for permission, by name), why it rests, agent, model, times, tokens and cost. Use it when the user asks which sessions run, wait, failed or are done, or to find the id of a session. Titles are told only after the person agreed that a model reads contents. Approving or denying tools is for people: show brings them there.',
  input,
  async run({ connection, state, agent, limit, after }, services, signal): Promise<ToolResult> {
    const { connection: used, client } = await services.reach(connection);
    const start = readPageCursor(after);
    const options = { limit, signal, ...(start.cursor !== undefined && { cursor: start.cursor }) };
    const page = await client.sessions.list({
      ...options,
      ...(agent !== undefined && { agentId: agent }),
      ...(state === 'archived' && { includeArchived: true }),
    });
    const listed = page.items
      .map((session, at) => ({ session, at }))
      .filter(({ session, at }) => at >= start.skip && (agent === undefined || session.agent?.id === agent));
    const states = new Map<string, KnownState>();
    await atMost(4, listed, signal, async ({ session }) => {
      states.set(session.id, await readState(client, session, signal));
    });
    signal.throwIfAborted();
    const shown = listed.filter(({ session }) => state === undefined || states.get(session.id)?.state === state);
    const hasTitles = services.isConsented(used.name);
    return {
      facts: { connection: used.name, looked: listed.length },
      list: {
        name: 'sessions',
        items: shown.map(({ session }) => toSession(session, states.get(session.id), hasTitles)),
        next: nextInPage(
          start,
          shown.map(({ at }) => at),
          page.nextCursor,
        ),
      },
    };
  },
});

interface KnownState {
  readonly state: string;
  readonly waitsFor?: readonly object[];
  readonly rests?: string;
}

/** Returns the state of a session, without parts that can't be read. */
async function readState(client: ServiceClient, session: Session, signal: AbortSignal): Promise<KnownState> {
  const canWait = !session.archived_at && ['idle', 'running', 'terminated'].includes(session.status ?? '');
  const read = canWait ? await readAsks(client.sessions, session.id, signal).catch(unlessAborted(signal)) : undefined;
  const { asks, turn, isComplete } = nextAskLog(undefined, read ?? { events: [], isWhole: !canWait });
  const turnRest = restOf(turn);
  const state = stateOf({
    status: session.status ?? '',
    isArchived: Boolean(session.archived_at),
    isWaiting: asks.length > 0,
    isUnknown: !isComplete,
    rest: turnRest,
  });
  const rest = restIn(state, turnRest);
  return {
    state,
    ...(asks.length > 0 && {
      waitsFor: asks.slice(0, 10).map(({ eventId, kind, tool, server }) => ({ event: eventId, kind, tool, server })),
    }),
    ...(rest !== undefined && { rests: describeRest(rest, inEnglish) }),
  };
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return error => {
    if (signal.aborted || !(error instanceof ServiceError)) {
      throw error;
    }
    return undefined;
  };
}

function toSession(
  { id, title, agent, created_at: created, updated_at: updated, usage }: Session,
  state: KnownState | undefined,
  hasTitles: boolean,
): object {
  return {
    ...{ id, ...state, created, updated },
    ...(hasTitles && title ? { title } : {}),
    agent: agent && { id: agent.id, name: agent.name, version: agent.version },
    ...(usage && { tokens: { input: usage.input_tokens, output: usage.output_tokens }, cost: formatMoney(usage.list_cost) }),
  };
}
