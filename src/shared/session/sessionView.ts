import type { Part, TokenBuckets } from './rows';

/** Something that waits for the user: a tool that asks for permission, or a custom tool that wants its result. */
export interface Ask {
  /** Event id to answer with, exactly as the service listed it. */
  readonly eventId: string;
  readonly kind: 'confirmation' | 'customTool';
  /** Row of the asking call, where there is one. */
  readonly rowKey: string;
  readonly tool: string;
  readonly server?: string;
  /** The whole of the arguments, or `cut`: then they are loaded before anything can be allowed. */
  readonly input: Part;
  /** Thread that asks, when the asking event names one; echoed with the answer. */
  readonly thread?: string;
  readonly threadName?: string;
  readonly at: number | undefined;
  /** An answer is on its way, or was given and the service has not gone on yet. */
  readonly answering?: boolean;
}

export interface ThreadView {
  readonly id: string;
  /** Name of its agent, or 'Main'. */
  readonly name: string;
  readonly isPrimary: boolean;
  readonly parent: string | undefined;
  readonly status: string;
  readonly waiting: number;
  readonly archived: boolean;
}

/** What stands above the timeline. Made of what the service says of the session and of the events, whichever is newer. */
export interface SessionView {
  readonly id: string;
  readonly title: string;
  /** `waiting` is our own word for idle with something that waits for the user; the others are the service's. */
  readonly state: 'waiting' | 'running' | 'idle' | 'rescheduling' | 'terminated' | 'archived' | 'deleted' | 'unknown';
  /** The service's own word. */
  readonly status: string;
  /** Why it last went idle: `end_turn`, `requires_action`, `retries_exhausted`, `budget_reached`, or another word. */
  readonly stopReason?: string;
  readonly agent: { readonly id: string; readonly name: string; readonly version: number | undefined; readonly model: string } | undefined;
  readonly environmentId?: string;
  readonly createdAt: number | undefined;
  /** Last moment something happened, by the service's clock. */
  readonly updatedAt: number | undefined;
  readonly activeSeconds: number | undefined;
  readonly durationSeconds: number | undefined;
  readonly tokens: TokenBuckets;
  readonly cost?: { readonly cents: number; readonly currency: string };
  /** The cap, where there is one; `json` where its shape is not known. */
  readonly budget?: { readonly cents: number; readonly currency: string } | { readonly json: string };
  readonly threads: readonly ThreadView[];
  readonly asks: readonly Ask[];
  readonly outcomes: readonly {
    readonly id: string;
    readonly description: string;
    readonly result: string;
    readonly iteration: number | undefined;
    readonly explanation: string;
  }[];
  /** Files and repositories mounted: `type` and a name. */
  readonly resources: readonly { readonly type: string; readonly name: string; readonly mountPath: string }[];
  /** Whether events can be sent at all, and if not, why. */
  readonly canSend: boolean;
  readonly whyNot?: string;
}
