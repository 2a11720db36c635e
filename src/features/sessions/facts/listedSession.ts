import type { Session } from '../../../client/resources/sessions';
import type { SessionReference } from '../../../contributions';
import { defined } from '../../../shared/defined';
import { jsonOf } from '../../../shared/jsonOf';
import type { ProgressProblem } from '../../../shared/session/facts/progress';
import type { SessionState } from '../../../shared/session/facts/sessionState';
import type { SessionRest } from '../../../shared/session/facts/turn';
import type { SessionView } from '../../../shared/session/sessionView';
import type { ReadTranscript } from './askLog';
import type { OpenAsk } from './openAsks';

/** State of a session in its open panel, newer than any list. */
export interface PanelSession extends SessionReference {
  readonly view: SessionView;
  /** Transcript of the session's own thread. */
  readonly transcript?: ReadTranscript | undefined;
}

/** A session as a row shows it. */
export interface ListedSession {
  readonly connection: string;
  /** True if the session belongs to a different connection than the view. Listed because it is open or followed. */
  readonly isElsewhere?: boolean;
  readonly session: Session;
  readonly state: SessionState;
  readonly asks: readonly OpenAsk[];
  readonly byRule?: { readonly ruleName: string; readonly result: 'allow' | 'deny' } | undefined;
  /** Reason why the session is idle. `undefined` if the session is not idle or its events are unknown. */
  readonly rest?: SessionRest;
  /** Question at the end of the last turn, unless the user dismissed it. `text` is '' if the message was not read. */
  readonly question?: { readonly eventId: string; readonly text: string };
  readonly problem?: ProgressProblem;
  /** Title, or first words of the first message. */
  readonly name: string | undefined;
}

export function referenceOf({ connection, session }: Pick<ListedSession, 'connection' | 'session'>): SessionReference {
  return { connection, sessionId: session.id };
}

/** Returns a text that changes whenever the list shows a change of the session. */
export function fingerprintOf({ status, updated_at, usage, stats }: Session): string {
  return JSON.stringify([status, updated_at, usage?.input_tokens, usage?.output_tokens, stats?.active_seconds]);
}

/** Returns the session with the state of its open panel, so that its row never lags behind. */
export function withView(session: Session, view: SessionView): Session {
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
    ...(view.updatedAt === undefined || Date.parse(session.updated_at ?? '') > view.updatedAt
      ? {}
      : { updated_at: new Date(view.updatedAt).toISOString() }),
    ...(view.state === 'archived' ? { archived_at: session.archived_at ?? session.updated_at ?? view.state } : {}),
  };
}

/** Creates a session from the view of its panel, for a session that was never listed. */
export function sessionOfView(id: string, { agent, createdAt }: Pick<SessionView, 'agent' | 'createdAt'>): Session {
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

/** Returns the open asks of a panel. */
export function asksOfView({ asks }: Pick<SessionView, 'asks'>): readonly OpenAsk[] {
  return asks
    .filter(({ answering }) => !answering)
    .map(({ eventId, kind, tool, server, input, thread, at }) => ({
      ...{ eventId, kind, tool, input: argumentsOf(input) },
      ...defined({ server, thread, at }),
    }));
}

/** Parses the arguments that a panel shows as text. Text that was cut, or is not JSON, stays text. */
function argumentsOf(input: SessionView['asks'][number]['input']): unknown {
  if (!('text' in input) || typeof input.text !== 'string') {
    return undefined;
  }
  const value = input.cut === undefined ? jsonOf(input.text) : undefined;
  return value === undefined ? input.text : value;
}

/** Returns a key that is unique among the sessions of all connections. */
export function sessionKey({ connection, sessionId }: SessionReference): string {
  return `${connection}\n${sessionId}`;
}
