import type { MonetaryAmount } from './sessions';

/** Parameters of a new session (API facts, section 7, CreateSessionParams). The service chooses the value of an absent field. */
export interface SessionParams {
  /** An id alone means the latest version. */
  readonly agent: string | AgentChoice | AgentWithOverrides;
  /** Absent if the service has no environments. */
  readonly environment_id?: string | undefined;
  /** At most 500 characters. */
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  /** At most 500, including at most 8 memory stores. */
  readonly resources?: readonly SessionResourceParams[];
  readonly vault_ids?: readonly string[];
  /** At most 50 messages and outcomes. If there are any, the session runs immediately. */
  readonly initial_events?: readonly object[];
  /** Can be set at creation only. */
  readonly budget?: SessionBudget;
}

/** Agent, optionally with a version. */
export interface AgentChoice {
  readonly type: 'agent';
  readonly id: string;
  readonly version?: number;
}

/** Agent with changes for one session. Absent fields stay unchanged, arrays are replaced, and `system: null` clears the prompt. */
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

/** Resource to mount into a session. */
export type SessionResourceParams = FileResourceParams | RepositoryResourceParams | MemoryStoreResourceParams;

export interface FileResourceParams {
  readonly type: 'file';
  readonly file_id: string;
  /** At most 4,096 characters. If absent, the service chooses. */
  readonly mount_path?: string;
}

/** Repository. Its token is secret; no response contains it. */
export interface RepositoryResourceParams {
  /** Type name in the dialect of the service (`Dialect.repositoryType`). */
  readonly type: string;
  /** At most 2,048 characters. */
  readonly url: string;
  /** 1 to 4,096 characters. */
  readonly authorization_token: string;
  readonly mount_path?: string;
  /** If absent, the default branch. */
  readonly checkout?: RepositoryCheckout;
}

/** Branch with a name of 1 to 255 characters, or commit given by 7 to 64 hexadecimal digits. */
export type RepositoryCheckout = { readonly type: 'branch'; readonly name: string } | { readonly type: 'commit'; readonly sha: string };

/** Memory store. Can be mounted at creation only. */
export interface MemoryStoreResourceParams {
  readonly type: 'memory_store';
  readonly memory_store_id: string;
  readonly access?: MemoryAccess;
  /** Explanation of the store for the agent. At most 4,096 characters. */
  readonly instructions?: string;
}

export type MemoryAccess = 'read_write' | 'read_only';

/** Spending limit: `amount` is whole US cents in digits, without leading zeros. */
export interface SessionBudget {
  readonly type: 'limit';
  readonly max_list_cost: MonetaryAmount & { readonly currency: 'USD' };
}

/**
 * Change of a session (API facts, section 7, UpdateSessionParams). `metadata` is a patch of its keys. Tools and servers are replaced as a
 * whole and only while the session is idle. A budget must exceed the cost so far. Null removes it for good.
 */
export interface SessionPatch {
  readonly title?: string | null;
  readonly metadata?: Readonly<Record<string, string | null>>;
  readonly agent?: { readonly tools?: readonly object[]; readonly mcp_servers?: readonly object[] };
  readonly budget?: SessionBudget | null;
}
