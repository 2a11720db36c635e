/** A tool as a call names it; `server` is the MCP server of one that has it. */
export interface ToolName {
  readonly tool: string;
  readonly server?: string | undefined;
}

/** A call that an agent made. */
export interface AgentCall extends ToolName {
  readonly input: unknown;
}

/** A call that an agent is to make. Without `input` any arguments do; `ignore` are pointers into them (see `comparableInput`). */
export interface ExpectedCall extends ToolName {
  readonly input?: unknown;
  readonly ignore: readonly string[];
}

/** What a custom tool answered when it was called with `input`; without that, whatever it is called with. */
export interface RecordedAnswer extends ToolName {
  readonly input?: unknown;
  /** Blocks of content as the service takes them. */
  readonly content: readonly object[];
  readonly isError: boolean;
}

/** What was decided when an agent asked to call a tool. */
export interface RecordedDecision extends ToolName {
  readonly input?: unknown;
  readonly decision: 'allow' | 'deny';
  /** What the agent is told of a denial. */
  readonly reason?: string | undefined;
}

/** How calls are compared with those that were recorded. */
export interface Comparison {
  readonly order: 'recorded' | 'any';
  readonly extraCalls: 'fail' | 'allow';
  /** Pointers into the arguments of every call. */
  readonly ignore: readonly string[];
}

/** A session that is run again, and what its agent is to do. */
export interface SessionTest {
  readonly agent: { readonly id: string; readonly version: number | 'latest'; readonly name?: string | undefined };
  /** Name of the connection that the session was recorded on. */
  readonly connection?: string | undefined;
  /** Undefined where the service has no environments. */
  readonly environment: string | undefined;
  /** What the user says, each once the turn before has ended. */
  readonly messages: readonly string[];
  readonly calls: readonly ExpectedCall[];
  readonly compare: Comparison;
  readonly answers: readonly RecordedAnswer[];
  readonly decisions: readonly RecordedDecision[];
  /** Whether the recorded decisions are also made where they change something. */
  readonly decidesOnService: boolean;
  /** Whole US cents that a run on a service may cost. */
  readonly budget: number | undefined;
  readonly limitSeconds: number;
  readonly afterwards: 'archive' | 'keep';
}

/** How the files are named by which tests of sessions are known. */
export const testEnding = '.session-test.json';

/** A tool with its server, as people and messages name it. */
export function nameOfTool({ tool, server }: ToolName): string {
  return server === undefined ? tool : `${server}/${tool}`;
}
