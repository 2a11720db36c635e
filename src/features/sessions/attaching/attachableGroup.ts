import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/answer';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';

/** A memory store or a vault, as far as one has to know it to attach it to a session. */
export interface Attachable {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** A group of the service whose members can be attached. */
export interface AttachableCalls {
  list(options?: ListOptions): Promise<Page<Attachable>>;
}

/** A client with those groups that it has calls for. */
export interface AttachingClient extends Pick<ServiceClient, 'sessions' | 'files' | 'models' | 'vaults'> {
  readonly memoryStores?: AttachableCalls;
}

/** The members of a group that can be attached; `problem` is why they could not all be listed. */
export interface Members {
  readonly items: readonly Attachable[];
  readonly problem: unknown;
}

const pages = { limit: 100, maxPages: 10 };

/**
 * What can be attached of one group. It is read while the user answers other things, so that a service without the group is known by the
 * time it would be offered; a slow one delays nothing.
 */
export class AttachableGroup {
  /** The service is known to have no such group. */
  isAbsent = false;
  private reading: Promise<Members> | undefined;

  /** Without `calls` members are named by their ids. */
  constructor(
    private readonly calls: AttachableCalls | undefined,
    private readonly signal: AbortSignal,
  ) {
    void this.members();
  }

  /** The members that are not archived. Never rejects; what failed is tried again the next time. */
  async members(): Promise<Members> {
    this.reading ??= this.read();
    const members = await this.reading;
    if (members.problem !== undefined) {
      this.reading = undefined;
    }
    return members;
  }

  private async read(): Promise<Members> {
    const { calls, signal } = this;
    const items: Attachable[] = [];
    try {
      if (calls !== undefined) {
        for await (const member of listAll(options => calls.list(options), { ...pages, signal })) {
          if (!member.archived_at) {
            items.push(member);
          }
        }
      }
      return { items, problem: undefined };
    } catch (error) {
      this.isAbsent ||= error instanceof ServiceError && error.status === 404 && items.length === 0;
      return { items, problem: error };
    }
  }
}

/** What a member is called. */
export function nameOfAttachable({ id, name, display_name }: Attachable): string {
  return name?.trim() || display_name?.trim() || id;
}
