import type { Session } from '../../../client/schemas/sessions';
import type { SessionState } from '../../../shared/session/facts/sessionState';
import type { SessionRest } from '../../../shared/session/facts/turn';
import type { SessionView } from '../../../shared/session/sessionView';
import type { OpenAsk } from '../facts/openAsks';

/** A session as a row shows it: what the list says, and what is known beyond it. */
export interface ListedSession {
  readonly connection: string;
  /** It is a session of another connection than the view shows: one that is open or followed. */
  readonly isElsewhere?: boolean;
  readonly session: Session;
  readonly state: SessionState;
  readonly asks: readonly OpenAsk[];
  /** Something happened in it since the user looked at it. */
  readonly isUnread?: boolean;
  /** Latest decision by a rule on this machine. */
  readonly byRule?: { readonly ruleName: string; readonly result: 'allow' | 'deny' } | undefined;
  /** Why it rests, where it is idle, waits for nobody, and its events tell. */
  readonly rest?: SessionRest;
  /** Title, or the first words of the first message; undefined when neither is known. */
  readonly name: string | undefined;
}

/** What an open panel knows of a session, newer than any list. */
export type SeenView = Pick<
  SessionView,
  'state' | 'status' | 'title' | 'firstWords' | 'asks' | 'tokens' | 'updatedAt' | 'cost' | 'rest' | 'endId'
>;

type SeenSessionView = Pick<SessionView, 'agent' | 'createdAt'>;

/** The session as an open panel has seen it, so that a row never lags behind the panel beside it. */
export function withView(session: Session, view: SeenView): Session {
  const { input, output, cacheRead } = view.tokens;
  const { cost } = view;
  const usage = {
    ...session.usage,
    ...{ input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead },
    ...(cost === undefined ? {} : { list_cost: { amount: String(cost.cents), currency: cost.currency } }),
  };
  return {
    ...session,
    status: view.status || session.status,
    title: view.title === '' ? session.title : view.title,
    usage: input === undefined && output === undefined && cost === undefined ? session.usage : usage,
    ...(view.updatedAt === undefined ? {} : { updated_at: laterOf(session.updated_at, view.updatedAt) }),
    ...(view.state === 'archived' ? { archived_at: session.archived_at ?? session.updated_at ?? view.state } : {}),
  };
}

/** What a panel knows of a session that no list has told of. */
export function sessionOfView(id: string, { agent, createdAt }: SeenSessionView): Session {
  return {
    id,
    type: 'session',
    status: 'idle',
    ...(agent === undefined
      ? {}
      : { agent: { id: agent.id, type: 'agent', name: agent.name, version: agent.version, model: agent.model } }),
    ...(createdAt === undefined ? {} : { created_at: new Date(createdAt).toISOString() }),
  };
}

function laterOf(listed: string | null | undefined, seen: number): string {
  const known = Date.parse(listed ?? '');
  return known > seen ? (listed ?? '') : new Date(seen).toISOString();
}

/** The asks of an open panel, as the view needs them. */
export function asksOfView({ asks }: SeenView): readonly OpenAsk[] {
  return asks
    .filter(({ answering }) => !answering)
    .map(({ eventId, kind, tool, server, input, thread, at }) => ({
      eventId,
      kind,
      tool,
      ...(server === undefined ? {} : { server }),
      ...(thread === undefined ? {} : { thread }),
      input: argumentsOf(input),
      ...(at === undefined ? {} : { at }),
    }));
}

/** The arguments that a panel shows as text; what was cut, or is no JSON, stays text. */
function argumentsOf(input: SeenView['asks'][number]['input']): unknown {
  if (!('text' in input) || typeof input.text !== 'string') {
    return undefined;
  }
  try {
    return input.cut === undefined ? JSON.parse(input.text) : input.text;
  } catch {
    return input.text;
  }
}
