/** Differences between the services that use this protocol (API facts, sections 7 to 10). */
export interface ServerStyle {
  /** True if times are whole seconds, and every event has `created_at` and `session_thread_id`. */
  readonly wholeSeconds: boolean;
  /** Client events that are stored with `processed_at` null. When such an event is processed, it is sent again with the time. */
  readonly stampsLater: 'none' | 'messages' | 'all';
  /** True if lists of events are newest first by default. */
  readonly newestEventsFirst: boolean;
  /**
   * True if calls and results are identified by an id of the model (`toolu_...`). A call that needs approval is then sent as two
   * `agent.tool_use` events. Only the second event is in `event_ids` and needs an answer. Thinking events include their text.
   */
  readonly showsModelsCalls: boolean;
  /** True if a turn has a single span, whose end follows the turn's idle event. */
  readonly spanAroundIdle: boolean;
  /**
   * True if a pending custom tool makes the session idle with `requires_action`. Otherwise the session stays `running` without an event.
   */
  readonly customToolIdles: boolean;
  /** True if an idle event after each answer to one of several approvals lists the remaining approvals. */
  readonly repeatsIdle: boolean;
  /** True if `session.usage` precedes each idle event and the status of the primary thread is emitted. */
  readonly reportsUsageAndThreads: boolean;
  /** True if the keep-alive of a stream is `event: ping` instead of a comment. */
  readonly namedPings: boolean;
  /** True if a stream ends after `session.deleted`. */
  readonly endsDeletedStreams: boolean;
  /** True if sessions have no `budget` and `deployment_id`, empty usage and stats, and outcomes without a result. */
  readonly bareSessions: boolean;
  /** True if an answer to a call that is not pending is refused. */
  readonly checksAnswers: boolean;
  /** True if a repository can be mounted into an existing session. A file always can. */
  readonly addsRepositories: boolean;
  readonly budgets: 'kept' | 'ignored' | 'refused';
  /** True if a session can be created from an agent with overrides. */
  readonly takesOverrides: boolean;
  /** `error.type` of an update that is not based on the latest version. */
  readonly conflictType: 'conflict_error' | 'invalid_request_error';
}

export const serverStyleNames = ['vendor', 'serverA', 'serverB'] as const;
export type ServerStyleName = (typeof serverStyleNames)[number];

/** Style that the vendor documents. */
const vendor: ServerStyle = {
  wholeSeconds: false,
  stampsLater: 'messages',
  newestEventsFirst: false,
  showsModelsCalls: false,
  spanAroundIdle: false,
  customToolIdles: true,
  repeatsIdle: false,
  reportsUsageAndThreads: true,
  namedPings: false,
  endsDeletedStreams: true,
  bareSessions: false,
  checksAnswers: true,
  addsRepositories: false,
  budgets: 'kept',
  takesOverrides: true,
  conflictType: 'conflict_error',
};

/** Styles: the vendor's, and the differences observed on two open servers. */
export const serverStyles: Readonly<Record<ServerStyleName, ServerStyle>> = {
  vendor,
  serverA: {
    ...vendor,
    wholeSeconds: true,
    stampsLater: 'none',
    newestEventsFirst: true,
    showsModelsCalls: true,
    spanAroundIdle: true,
    reportsUsageAndThreads: false,
    endsDeletedStreams: false,
    bareSessions: true,
    checksAnswers: false,
    addsRepositories: true,
    budgets: 'ignored',
    takesOverrides: false,
  },
  serverB: {
    ...vendor,
    stampsLater: 'all',
    customToolIdles: false,
    repeatsIdle: true,
    reportsUsageAndThreads: false,
    namedPings: true,
    budgets: 'refused',
    conflictType: 'invalid_request_error',
  },
};
