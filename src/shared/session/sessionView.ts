import type { ProgressProblem } from './facts/progress';
import type { OutcomeFacts } from './facts/sessionFacts';
import type { SessionState } from './facts/sessionState';
import type { Money } from './facts/tokens';
import type { SessionRest } from './facts/turn';
import type { Ask } from './openAsks';
import type { TokenBuckets } from './rows/rows';
import type { ThreadView } from './threadViews';

/** View model of the panel's header, from the session object and its events, whichever is newer. */
export interface SessionView {
  readonly id: string;
  readonly title: string;
  /** Start of the user's first message in one line, or '' without a message. Serves as the name of a session without a title. */
  readonly firstWords: string;
  /** State as in the list of sessions. `deleted` does not occur in the list. */
  readonly state: SessionState | 'deleted';
  readonly status: string;
  readonly rest?: SessionRest;
  readonly problem?: ProgressProblem;
  readonly endId?: string;
  readonly agent: { readonly id: string; readonly name: string; readonly version: number | undefined; readonly model: string } | undefined;
  readonly environmentId?: string;
  readonly createdAt: number | undefined;
  /** Time of the last activity, by the service's clock. */
  readonly updatedAt: number | undefined;
  readonly activeSeconds: number | undefined;
  readonly durationSeconds: number | undefined;
  readonly tokens: TokenBuckets;
  /** True if the service reported 0 tokens, but the events have more. `tokens` are then the sums of the events. */
  readonly areTokensSummed?: boolean;
  readonly cost?: { readonly cents: number; readonly currency: string };
  /** Budget of the session, if there is one. `json` is a budget of unknown shape. */
  readonly budget?: { readonly cents: number; readonly currency: string } | { readonly json: string };
  /** Threads, without unopened threads of workflow runs. */
  readonly threads: readonly ThreadView[];
  readonly runs?: readonly RunView[];
  readonly asks: readonly Ask[];
  readonly outcomes: readonly (Omit<OutcomeFacts, 'at'> & { readonly id: string })[];
  readonly resources: readonly { readonly type: string; readonly name: string; readonly mountPath: string }[];
  readonly vaults?: readonly string[];
  readonly createdFiles?: readonly { readonly id: string; readonly name: string; readonly bytes: number | undefined }[];
  /** Names of the local rules that answered, by event id of the ask. Missing if no rule answered. */
  readonly byRule?: Readonly<Record<string, string>>;
  /** True if only the newest events were read so far. All counts refer to them. */
  readonly isPartial?: boolean;
  /** True if events can be sent. Otherwise, `whyNot` is the reason. */
  readonly canSend: boolean;
  readonly whyNot?: string;
}

/** Reasons why nothing can be sent: keys of interface texts. */
export const whyNotTexts = {
  deleted: 'The session was deleted.',
  archived: 'This session is archived.',
  terminated: 'This session was terminated.',
  budget: 'Out of budget',
} as const;

export interface RunAgentView {
  readonly thread: string;
  readonly name: string;
  readonly status: string;
  readonly waiting: number;
  /** Time of the agent's last known activity, in milliseconds since 1970. */
  readonly lastAt?: number;
  readonly tokens?: number;
  readonly cost?: Money;
}

/** Phase of a workflow run. `left` means that the run has left the phase, even if its work was not done. */
export interface RunPhaseView {
  /** '' for agents outside of all phases. */
  readonly id: string;
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'left';
  readonly agents: number;
  readonly running: number;
  readonly waiting: number;
  /** Agents to show: first agents that wait for the user, then running agents. */
  readonly shown: readonly RunAgentView[];
}

export interface RunView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly state: string;
  readonly problem?: string;
  readonly agents: number;
  readonly running: number;
  readonly waiting: number;
  readonly phases: readonly RunPhaseView[];
}
