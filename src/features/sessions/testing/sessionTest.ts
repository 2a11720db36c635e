/** Tool of a call. `server` is the MCP server that provides it, if any. */
export interface ToolName {
  readonly tool: string;
  readonly server?: string | undefined;
}

/** Call that an agent made. */
export interface AgentCall extends ToolName {
  readonly input: unknown;
}

/**
 * Call that an agent is expected to make. Without `input`, any arguments match. `ignore` are pointers into the arguments (see
 * `comparableInput`).
 */
export interface ExpectedCall extends ToolName {
  readonly input?: unknown;
  readonly ignore: readonly string[];
}

/** Recorded result of a custom tool for a call with `input`. Without `input`, it applies to any arguments. */
export interface RecordedAnswer extends ToolName {
  readonly input?: unknown;
  /** Content blocks in the service's format. */
  readonly content: readonly object[];
  readonly isError: boolean;
}

/** Recorded decision about a permission request. */
export interface RecordedDecision extends ToolName {
  readonly input?: unknown;
  readonly decision: 'allow' | 'deny';
  /** Message to the agent for a denial. */
  readonly reason?: string | undefined;
}

/** Options for comparing calls with recorded ones. */
export interface Comparison {
  readonly order: 'recorded' | 'any';
  readonly extraCalls: 'fail' | 'allow';
  /** Pointers into the arguments of all calls. */
  readonly ignore: readonly string[];
}

/** Session to repeat, and the expected calls of its agent. */
export interface SessionTest {
  readonly agent: { readonly id: string; readonly version: number | 'latest'; readonly name?: string | undefined };
  /** Connection on which the session was recorded. */
  readonly connection?: string | undefined;
  /** `undefined` if the service has no environments. */
  readonly environment: string | undefined;
  /** Messages of the user. Each is sent after the previous turn has ended. */
  readonly messages: readonly string[];
  readonly calls: readonly ExpectedCall[];
  readonly compare: Comparison;
  readonly answers: readonly RecordedAnswer[];
  readonly decisions: readonly RecordedDecision[];
  /** If true, recorded decisions are also sent to services, where the allowed calls have effects. */
  readonly decidesOnService: boolean;
  /** Maximum cost of a run on a service, in whole US cents. */
  readonly budget: number | undefined;
  readonly limitSeconds: number;
  readonly afterwards: 'archive' | 'keep';
}

/** Suffix of the files that contain session tests. */
export const testEnding = '.session-test.json';

/** Returns the display name of a tool, with its server. */
export function nameOfTool({ tool, server }: ToolName): string {
  return server === undefined ? tool : `${server}/${tool}`;
}
