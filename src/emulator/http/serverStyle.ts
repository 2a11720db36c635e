/** In what the services differ that speak this protocol (API facts, sections 7 to 10). */
export interface ServerStyle {
  /** Times are whole seconds, and every event says `created_at` and `session_thread_id`. */
  readonly wholeSeconds: boolean;
  /** Which of the events that a client sends are stored with `processed_at` null and stamped when they are taken up: the same event comes again. */
  readonly stampsLater: 'none' | 'messages' | 'all';
  /** Lists of events are newest first unless `order` says otherwise. */
  readonly newestEventsFirst: boolean;
  /**
   * Calls and their results are told apart by an id of the model's (`toolu_...`); a call that asks comes as two `agent.tool_use`
   * events of which only the second, in `event_ids`, is to be answered; thinking comes with its words.
   */
  readonly showsModelsCalls: boolean;
  /** The span of a turn comes as a whole, its end after the turn's idle event. */
  readonly spanAroundIdle: boolean;
  /** A custom tool that waits makes the session idle with `requires_action`; otherwise it stays `running` and says nothing. */
  readonly customToolIdles: boolean;
  /** Of several asks, each answer is followed by an idle event with those that remain. */
  readonly repeatsIdle: boolean;
  /** `session.usage` comes before each idle event, and threads say when they run. */
  readonly tellsUsageAndThreads: boolean;
  /** Streams say `event: ping` where others send a comment. */
  readonly namedPings: boolean;
  /** A stream ends by itself after `session.deleted`. */
  readonly endsDeletedStreams: boolean;
  /** Sessions have no `budget` and `deployment_id`, empty usage and stats, and outcomes without a result. */
  readonly bareSessions: boolean;
  /** An answer to an ask that is not open is refused. */
  readonly checksAnswers: boolean;
  /** Whether a repository can be mounted into a session that is there already; a file always can. */
  readonly addsRepositories: boolean;
  /** What becomes of the budget of a new session. */
  readonly budgets: 'kept' | 'ignored' | 'refused';
  /** Whether a session can be made of an agent with something different for this session. */
  readonly takesOverrides: boolean;
  /** `error.type` of an update of a version that is not the latest. */
  readonly conflictType: 'conflict_error' | 'invalid_request_error';
}

export const serverStyleNames = ['vendor', 'serverA', 'serverB'] as const;
export type ServerStyleName = (typeof serverStyleNames)[number];

/** As the vendor documents it, and as two open servers were seen to do it. */
export const serverStyles: Readonly<Record<ServerStyleName, ServerStyle>> = {
  vendor: {
    wholeSeconds: false,
    stampsLater: 'messages',
    newestEventsFirst: false,
    showsModelsCalls: false,
    spanAroundIdle: false,
    customToolIdles: true,
    repeatsIdle: false,
    tellsUsageAndThreads: true,
    namedPings: false,
    endsDeletedStreams: true,
    bareSessions: false,
    checksAnswers: true,
    addsRepositories: false,
    budgets: 'kept',
    takesOverrides: true,
    conflictType: 'conflict_error',
  },
  serverA: {
    wholeSeconds: true,
    stampsLater: 'none',
    newestEventsFirst: true,
    showsModelsCalls: true,
    spanAroundIdle: true,
    customToolIdles: true,
    repeatsIdle: false,
    tellsUsageAndThreads: false,
    namedPings: false,
    endsDeletedStreams: false,
    bareSessions: true,
    checksAnswers: false,
    addsRepositories: true,
    budgets: 'ignored',
    takesOverrides: false,
    conflictType: 'conflict_error',
  },
  serverB: {
    wholeSeconds: false,
    stampsLater: 'all',
    newestEventsFirst: false,
    showsModelsCalls: false,
    spanAroundIdle: false,
    customToolIdles: false,
    repeatsIdle: true,
    tellsUsageAndThreads: false,
    namedPings: true,
    endsDeletedStreams: true,
    bareSessions: false,
    checksAnswers: true,
    addsRepositories: false,
    budgets: 'refused',
    takesOverrides: true,
    conflictType: 'invalid_request_error',
  },
};
