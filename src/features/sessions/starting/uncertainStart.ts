import type { Memento } from 'vscode';
import type { Session } from '../../../client/schemas/sessions';
import type { Sessions } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';

/** Number of sessions per page, and maximum number of pages. */
const pageLength = 100;
const maxPages = 3;

/** Returns the IDs of an agent's newest sessions before a start. `undefined` if they can't be listed. */
export async function sessionsBefore(
  sessions: Pick<Sessions, 'list'>,
  agentId: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await newestOf(sessions, agentId, signal)).map(({ id }) => id));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) {
      throw error;
    }
    return undefined;
  }
}

/** Returns the sessions of an agent that are not in `before`. Those with this title come first. */
export async function appearedSince(
  sessions: Pick<Sessions, 'list'>,
  { agentId, title, before }: { readonly agentId: string; readonly title: string; readonly before: ReadonlySet<string> | undefined },
  signal: AbortSignal,
): Promise<readonly Session[]> {
  if (before === undefined) {
    return [];
  }
  const appeared = (await newestOf(sessions, agentId, signal)).filter(({ id }) => !before.has(id));
  const isOther = (session: Session) => Number((session.title ?? '').trim() !== title.trim());
  return appeared.sort((a, b) => isOther(a) - isOther(b));
}

/** Returns the newest sessions of an agent. If the service can't filter by agent, lists the newest of all agents and filters here. */
async function newestOf(sessions: Pick<Sessions, 'list'>, agentId: string, signal: AbortSignal): Promise<Session[]> {
  const found: Session[] = [];
  let filters: { readonly agentId?: string } = { agentId };
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const options = { ...filters, order: 'desc' as const, limit: pageLength, signal, ...(cursor !== undefined && { cursor }) };
    try {
      const { items, nextCursor } = await sessions.list(options);
      found.push(...items);
      cursor = nextCursor;
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.kind === 'invalid_request' && filters.agentId !== undefined;
      if (!isRefused || cursor !== undefined) {
        throw error;
      }
      filters = {};
      continue;
    }
    if (cursor === undefined) {
      break;
    }
  }
  return found.filter(({ agent }) => agent?.id === undefined || agent.id === agentId);
}

type Before = { readonly agentId: string; readonly ids: ReadonlySet<string> | undefined };

/**
 * The start of each connection whose outcome is not known yet, saved over a reload of the window: a session may exist that nobody here
 * knows.
 */
export class UncertainStart {
  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly connection: string,
  ) {}

  read(): Before | undefined {
    const { agentId, ids } = (this.memento.get(this.key) ?? {}) as { readonly agentId?: string; readonly ids?: readonly string[] };
    return typeof agentId === 'string' ? { agentId, ids: Array.isArray(ids) ? new Set(ids) : undefined } : undefined;
  }

  write(before: Before | undefined): void {
    const stored = before && { agentId: before.agentId, ...(before.ids && { ids: [...before.ids] }) };
    // If it can't be written, only this window knows about the start.
    this.memento.update(this.key, stored).then(undefined, () => undefined);
  }

  private get key(): string {
    return `managedAgents.uncertainStart ${this.connection}`;
  }
}
