import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';

/** Memory store or vault, with the fields that attaching needs. */
export interface Attachable {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly display_name?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** Group of the service whose members can be attached. */
export interface AttachableCalls {
  list(options?: ListOptions): Promise<Page<Attachable>>;
}

/** Client with requests for the groups that it supports. */
export interface AttachingClient extends Pick<ServiceClient, 'sessions' | 'files' | 'models' | 'vaults'> {
  readonly memoryStores?: AttachableCalls;
}

/** Attachable members of a group. `problem` is the error if the list is incomplete. */
export interface Members {
  readonly items: readonly Attachable[];
  readonly problem: unknown;
}

const pages = { limit: 100, maxPages: 10 };

/**
 * Attachable members of one group. Read in the background while the user answers other questions, so that a group that the service does not
 * have is not offered. A slow response delays nothing.
 */
export class AttachableGroup {
  /** True once the service reported that it has no such group. */
  isAbsent = false;
  private reading: Promise<Members> | undefined;

  /** Without `calls`, members can only be added by ID. */
  constructor(
    private readonly calls: AttachableCalls | undefined,
    private readonly signal: AbortSignal,
  ) {
    void this.members();
  }

  /** Returns the members that are not archived. Never rejects. A failed request is repeated by the next call. */
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

/** Returns the name of a member, or its ID if it has none. */
export function nameOfAttachable({ id, name, display_name }: Attachable): string {
  return name?.trim() || display_name?.trim() || id;
}
