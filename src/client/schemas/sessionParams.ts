import type { MonetaryAmount } from './sessions';

/** What a session is created of (API facts, section 7, CreateSessionParams). An absent field leaves its matter to the service. */
export interface SessionParams {
  /** An id alone is the latest version. */
  readonly agent: string | AgentChoice | AgentWithOverrides;
  /** Absent where the service has no environments. */
  readonly environment_id?: string | undefined;
  /** At most 500 characters. */
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  /** At most 500, of them at most 8 memory stores. */
  readonly resources?: readonly SessionResourceParams[];
  readonly vault_ids?: readonly string[];
  /** At most 50 messages and outcomes; with any of them the session runs at once. */
  readonly initial_events?: readonly object[];
  /** Can be given at creation only. */
  readonly budget?: SessionBudget;
}

/** An agent, with a version where one is meant. */
export interface AgentChoice {
  readonly type: 'agent';
  readonly id: string;
  readonly version?: number;
}

/** An agent with what is different for one session: what is absent stays, arrays replace whole, `system` null clears it. */
export interface AgentWithOverrides {
  readonly type: 'agent_with_overrides';
  readonly id: string;
  readonly version?: number;
  readonly model?: string | { readonly id: string; readonly speed?: string };
  /** At most 100,000 characters. */
  readonly system?: string | null;
  readonly tools?: readonly object[];
  readonly mcp_servers?: readonly object[];
  readonly skills?: readonly object[];
}

/** Something to be mounted into a session. */
export type SessionResourceParams = FileResourceParams | RepositoryResourceParams | MemoryStoreResourceParams;

export interface FileResourceParams {
  readonly type: 'file';
  readonly file_id: string;
  /** At most 4,096 characters; absent where the service chooses. */
  readonly mount_path?: string;
}

/** A repository; its token is a secret that no answer holds. */
export interface RepositoryResourceParams {
  /** As the dialect of the service calls it (`Dialect.repositoryType`). */
  readonly type: string;
  /** At most 2,048 characters. */
  readonly url: string;
  /** 1 to 4,096 characters. */
  readonly authorization_token: string;
  readonly mount_path?: string;
  /** Absent for the default branch. */
  readonly checkout?: RepositoryCheckout;
}

/** A branch by its name of 1 to 255 characters, or a commit by 7 to 64 of its digits. */
export type RepositoryCheckout = { readonly type: 'branch'; readonly name: string } | { readonly type: 'commit'; readonly sha: string };

/** A memory store, which can be mounted at creation only. */
export interface MemoryStoreResourceParams {
  readonly type: 'memory_store';
  readonly memory_store_id: string;
  readonly access?: MemoryAccess;
  /** For the agent, on what the store is for; at most 4,096 characters. */
  readonly instructions?: string;
}

export type MemoryAccess = 'read_write' | 'read_only';

/** A spend cap: `amount` is whole US cents in digits, without leading zeros. */
export interface SessionBudget {
  readonly type: 'limit';
  readonly max_list_cost: MonetaryAmount & { readonly currency: 'USD' };
}

/**
 * A change of a session (API facts, section 7, UpdateSessionParams): `metadata` is a patch of its keys, tools and servers are replaced
 * whole while the session is idle. A budget must be more than what was spent; null takes it away for good.
 */
export interface SessionPatch {
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, string | null>>;
  readonly agent?: { readonly tools?: readonly object[]; readonly mcp_servers?: readonly object[] };
  readonly budget?: SessionBudget | null;
}
