/** Context keys that `when` clauses of package.json read. */
export interface ContextKeys {
  /** `none`: nothing chosen; `noKey`: chosen without a key; `untrusted`: blocked in an untrusted workspace. */
  'managedAgents.connectionState': 'none' | 'noKey' | 'untrusted' | 'ready';
  /** State of the last listing of batches. */
  'managedAgents.batchesState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** State of the last listing of sessions. `noMatch`: none pass the filter; `unsupported`: the service has no sessions. */
  'managedAgents.sessionsState': 'loading' | 'empty' | 'noMatch' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  'managedAgents.sessionsFiltered': boolean;
  /** An approval rule has decided something on this machine. */
  'managedAgents.approvalRulesUsed': boolean;
  /** State of the last listing of agents. */
  'managedAgents.agentsState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** State of the Resources view. `none`: the service has none of its groups. */
  'managedAgents.resourcesState': 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';
  /** The user was asked, on this machine, whether models may read contents. */
  'managedAgents.modelsMayRead': boolean;
  'managedAgents.webhookReceiverRunning': boolean;
  'managedAgents.emulatorRunning': boolean;
  /** The active editor holds batch requests. */
  'managedAgents.requestFile': boolean;
  /** Paths of files, as in `resourcePath`, by the content of their first lines. */
  'managedAgents.requestFiles': readonly string[];
  'managedAgents.resultFiles': readonly string[];
  /** Requests in another service's format. */
  'managedAgents.otherFormFiles': readonly string[];
  /** Files to build requests from: CSV, JSON Lines, templates. */
  'managedAgents.rowFiles': readonly string[];
  /** Empty JSON Lines files. */
  'managedAgents.emptyFiles': readonly string[];
  /** Request files with fetched results. */
  'managedAgents.answeredFiles': readonly string[];
  /** Request files with results, some of which are not good. */
  'managedAgents.unfinishedFiles': readonly string[];
  /** A single request is running. */
  'managedAgents.requestRunning': boolean;
}

/** Abilities of rows of the Batches view, matched with `viewItem`. */
export type BatchRowWord =
  /** Stands for a request file. Also set if the row is its only run. */
  | 'file'
  /** Has one or several batches. */
  | 'batch'
  /** The batch was not made on this machine. */
  | 'adoptable'
  /** Has a record of what was sent. */
  | 'hasSource'
  /** The service has results. */
  | 'hasResults'
  /** Its results are on this machine. For a file: those of its latest run. */
  | 'fetched'
  /** There are results to show. */
  | 'showable'
  /** Some requests have no good result. */
  | 'retryable'
  /** A trial whose remaining requests were not sent. */
  | 'trial'
  /** Some parts were not sent. */
  | 'unfinished'
  /** It is unknown whether a batch was created. */
  | 'unresolved'
  /** No batch was created. */
  | 'notSent'
  /** Its record can be removed, because it has no batch. */
  | 'forgettable'
  | 'cancelable'
  | 'deletable';
