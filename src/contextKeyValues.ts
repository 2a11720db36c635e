/** Context keys that `when` clauses of package.json read. */
export interface ContextKeys {
  /** `none`: nothing chosen; `noKey`: chosen without a key; `untrusted`: held back in an untrusted workspace; `ready`. */
  'managedAgents.connectionState': 'none' | 'noKey' | 'untrusted' | 'ready';
  /** How the last listing of batches went. */
  'managedAgents.batchesState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** How the last listing of sessions went. `noMatch`: there are none that pass the filter; `unsupported`: the service has no sessions. */
  'managedAgents.sessionsState': 'loading' | 'empty' | 'noMatch' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  'managedAgents.sessionsFiltered': boolean;
  /** A rule for approvals has decided something on this machine. */
  'managedAgents.approvalRulesUsed': boolean;
  /** How the last listing of agents went. */
  'managedAgents.agentsState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** Whether the service has any of the groups of the Resources view; `none`: it has not. */
  'managedAgents.resourcesState': 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';
  /** The person was asked, on this machine, whether models may read contents. */
  'managedAgents.modelsMayRead': boolean;
  'managedAgents.webhookReceiverRunning': boolean;
  'managedAgents.emulatorRunning': boolean;
  /** The active editor holds batch requests. */
  'managedAgents.requestFile': boolean;
  /** Paths of files, as `resourcePath` has them, by what their first lines show them to hold. */
  'managedAgents.requestFiles': readonly string[];
  'managedAgents.resultFiles': readonly string[];
  /** Requests in the form of another service. */
  'managedAgents.otherFormFiles': readonly string[];
  /** Files that requests can be built from: CSV, JSON Lines, templates. */
  'managedAgents.rowFiles': readonly string[];
  /** JSON Lines files without text. */
  'managedAgents.emptyFiles': readonly string[];
  /** Request files with fetched results. */
  'managedAgents.answeredFiles': readonly string[];
  /** Of these, files with requests without a good result. */
  'managedAgents.unfinishedFiles': readonly string[];
  /** The answer to a single request is under way. */
  'managedAgents.requestRunning': boolean;
}

/** Words of `viewItem` at rows of the Batches view. */
export type BatchRowWord =
  /** Stands for a request file, also when the row is its only run. */
  | 'file'
  /** Has a batch, or several. */
  | 'batch'
  /** The batch was not made on this machine. */
  | 'adoptable'
  /** What was sent of the file is known. */
  | 'hasSource'
  /** The service has results. */
  | 'hasResults'
  /** The results are on this machine; at a file those of its latest run. */
  | 'fetched'
  /** There are results to show. */
  | 'showable'
  /** Requests are without a good result. */
  | 'retryable'
  /** A trial whose remaining requests were not sent. */
  | 'trial'
  /** Parts were not sent. */
  | 'unfinished'
  /** Nobody knows whether a batch was created. */
  | 'unresolved'
  /** No batch was created. */
  | 'notSent'
  /** Can be taken off this machine, because it has no batch. */
  | 'forgettable'
  | 'cancelable'
  | 'deletable';
