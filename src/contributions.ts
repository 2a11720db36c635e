import type { TestItem, Uri } from 'vscode';
import type {
  AgentReference,
  AskReference,
  BatchReference,
  CredentialNeed,
  DeliveryTarget,
  GroupReference,
  KindTarget,
  LineArgument,
  Reference,
  RunReference,
  SessionReference,
  SessionsFilter,
  SubmissionReference,
} from './commandArguments';
import type { SheetChoice } from './shared/sheet/sheetProtocol';

export type * from './commandArguments';
export type * from './settingValues';

export const views = {
  batches: 'managedAgents.batches',
  sessions: 'managedAgents.sessions',
  agents: 'managedAgents.agents',
  resources: 'managedAgents.resources',
} as const;

type BatchArguments = [target?: BatchReference];
/** A batch, or a whole run if the argument has a run ID. */
type BatchOrRunArguments = [target?: BatchReference | RunReference];
/** A run, one of its batches, its request file, or its results file. */
type RunArguments = [target?: RunReference | BatchReference | Uri];
/** A request by its file and 0-based line. `version` is the version of the document. The current version by default. */
type RequestArguments = [file?: Uri | LineArgument, line?: number, version?: number];
type SessionArguments = [target?: SessionReference];
/** `selected` has all selected rows. */
type SessionsArguments = [target?: SessionReference, selected?: readonly SessionReference[]];
type AgentArguments = [target?: AgentReference];

/** Verbs of the commands that apply to every kind of resource: `managedAgents.<verb>`. */
export const kindVerbs = [
  ...(['open', 'showDetails', 'showJson', 'copyId', 'copyLink', 'rename', 'edit', 'publish', 'compare', 'discardDraft'] as const),
  // `createIn` creates a member of the row's group or resource.
  ...(['archive', 'delete', 'create', 'createIn', 'createFromFile', 'refresh', 'toggleArchived'] as const),
] as const;

export type KindVerb = (typeof kindVerbs)[number];

/** A resource, its row or its document, and all selected rows. A string is the name of a kind, whose resources are offered. */
type KindCommandArguments = Record<`managedAgents.${KindVerb}`, [target?: KindTarget | string, selected?: readonly KindTarget[]]>;

/** Commands that only rows, panels and links run. Such commands are not in package.json. */
export interface InternalCommands {
  'managedAgents.batches.loadMore': [];
  'managedAgents.sessions.loadMore': [];
  /** Loads the next page of agents, or of one agent's versions. */
  'managedAgents.agents.loadMore': [group?: GroupReference];
  'managedAgents.resources.loadMore': [group?: GroupReference];
  /** Continues in a new session from the event of a row. */
  'managedAgents.session.startAgain': [from?: AskReference];
  'managedAgents.session.resources': SessionArguments;
  'managedAgents.session.changeBudget': SessionArguments;
  /** Copies a link to the session, or to an event of the session. */
  'managedAgents.session.copyLink': [target?: SessionReference, eventId?: string];
  /** Creates a draft from the session's settings. */
  'managedAgents.deployment.create': [session?: SessionReference];
  'managedAgents.credential.fix': [need?: CredentialNeed];
  'managedAgents.delivery.open': [target?: DeliveryTarget];
  'managedAgents.spend.export': [];
}

export const internalCommands: readonly (keyof InternalCommands)[] = [
  'managedAgents.batches.loadMore',
  'managedAgents.sessions.loadMore',
  'managedAgents.agents.loadMore',
  'managedAgents.resources.loadMore',
  'managedAgents.session.startAgain',
  'managedAgents.session.resources',
  'managedAgents.session.changeBudget',
  'managedAgents.session.copyLink',
  'managedAgents.deployment.create',
  'managedAgents.credential.fix',
  'managedAgents.delivery.open',
  'managedAgents.spend.export',
];

/** Every command with its arguments. Mirrors `contributes.commands` of package.json. A test compares both. */
export interface Commands extends InternalCommands, KindCommandArguments {
  'managedAgents.connection.add': [];
  'managedAgents.connection.switch': [];
  'managedAgents.connection.edit': [name?: string];
  'managedAgents.connection.setKey': [name?: string];
  'managedAgents.connection.test': [name?: string];
  'managedAgents.connection.forget': [name?: string];
  'managedAgents.emulator.start': [];
  'managedAgents.emulator.stop': [];
  'managedAgents.sample.open': [];
  'managedAgents.file.check': [file?: Uri];
  'managedAgents.request.create': [file?: Uri];
  'managedAgents.request.edit': RequestArguments;
  'managedAgents.request.editNext': [];
  'managedAgents.request.editPrevious': [];
  'managedAgents.request.revealSource': [];
  'managedAgents.request.goTo': [file?: Uri];
  /** `rule` fixes only the problems of that rule. `safe` fixes everything with exactly one safe fix. */
  'managedAgents.file.fix': [file?: Uri, rule?: string];
  'managedAgents.requests.editAll': [file?: Uri];
  'managedAgents.requests.showTable': [file?: Uri];
  'managedAgents.fileActions.choose': [file?: Uri];
  /** `file` is a file of rows, a template, or a preview. `act` is an action of the preview's code lenses. */
  'managedAgents.file.build': [file?: Uri, act?: 'anotherRow' | 'chooseRows'];
  'managedAgents.file.convert': [file?: Uri];
  /** `selected` has all files selected in the explorer. */
  'managedAgents.file.arrange': [file?: Uri, selected?: readonly Uri[]];
  /** `size` is the number of requests in a trial. */
  'managedAgents.batch.create': [file?: Uri | BatchReference, choice?: SheetChoice, size?: number];
  'managedAgents.request.run': RequestArguments;
  'managedAgents.request.stop': [];
  'managedAgents.batch.open': BatchArguments;
  'managedAgents.batch.cancel': BatchOrRunArguments;
  'managedAgents.batch.fetchResults': BatchOrRunArguments;
  'managedAgents.batch.openSource': BatchArguments;
  'managedAgents.batch.openResults': BatchArguments;
  'managedAgents.submission.resolve': [target?: SubmissionReference | BatchReference];
  'managedAgents.submission.forget': [target?: SubmissionReference];
  'managedAgents.batch.adopt': BatchArguments;
  'managedAgents.group.resume': [target?: RunReference];
  'managedAgents.retry.plan': RunArguments;
  /** The `resultRow` commands act on the row with the open menu, or on all selected rows of the results table. */
  'managedAgents.resultRow.openInEditor': [];
  'managedAgents.resultRow.goToLine': [];
  'managedAgents.resultRow.copyAnswer': [];
  'managedAgents.resultRow.copyRows': [];
  'managedAgents.resultRow.expect': [];
  'managedAgents.resultRow.saveRequests': [];
  'managedAgents.run.showAtLines': [target?: RunReference | BatchReference];
  'managedAgents.spend.show': [];
  'managedAgents.results.show': [target?: RunReference | BatchReference | Uri, customId?: string, query?: string];
  'managedAgents.results.export': RunArguments;
  'managedAgents.results.compare': RunArguments;
  /** The line at the cursor in a results file. */
  'managedAgents.answer.goToRequest': [results?: Uri | LineArgument, line?: number];
  /** A request in the Testing view. */
  'managedAgents.test.goToRequest': [test?: TestItem];
  'managedAgents.answer.nextFailed': [];
  'managedAgents.answer.previousFailed': [];
  'managedAgents.answer.open': RequestArguments;
  /** Without a filter, asks the user. */
  'managedAgents.sessions.filter': [filter?: SessionsFilter];
  'managedAgents.sessions.search': [];
  'managedAgents.sessions.ask': SessionsArguments;
  'managedAgents.sessions.clearFilter': [];
  /** The editor's title bar passes the document of an agent. */
  'managedAgents.session.create': [agent?: AgentReference | Uri];
  /** `selected` has all rows selected in the Agents view. */
  'managedAgents.session.runOnVersions': [agent?: AgentReference | Uri, selected?: readonly AgentReference[]];
  /** `isClick` means a click in the list, which reuses the preview panel. */
  'managedAgents.session.open': [target?: SessionReference, eventId?: string, isClick?: boolean];
  'managedAgents.session.send': SessionArguments;
  'managedAgents.session.interrupt': SessionsArguments;
  'managedAgents.session.export': SessionsArguments;
  'managedAgents.session.makeDeployment': SessionArguments;
  'managedAgents.session.makeTest': SessionArguments;
  'managedAgents.session.openExport': [file?: Uri];
  'managedAgents.session.nextWaiting': [];
  /** With a session and an event, shows that ask. */
  'managedAgents.inbox.open': [target?: SessionReference, eventId?: string];
  /** With an ask, creates a rule for that ask. */
  'managedAgents.approvalRules.manage': [ask?: AskReference];
  'managedAgents.approvalRules.undo': [];
  /** `target` may be the document of an agent. */
  'managedAgents.agent.editPrompt': [target?: AgentReference | Uri];
  'managedAgents.agent.create': [];
  'managedAgents.agent.restore': AgentArguments;
  'managedAgents.agent.showSessions': AgentArguments;
  'managedAgents.deployment.pause': [target?: Reference];
  'managedAgents.deployment.unpause': [target?: Reference];
  'managedAgents.deployment.run': [target?: Reference];
  /** Clears the missed runs of a deployment, or of all deployments. */
  'managedAgents.deployment.clearMissed': [target?: Reference];
  /** `target` is a memory store, or a memory or folder in a store. */
  'managedAgents.memoryStore.search': [target?: Reference | Uri];
  'managedAgents.memoryStore.syncFolder': [target?: Reference | Uri];
  /** `target` is a memory, or a memory store for the versions of all its memories. */
  'managedAgents.memory.showVersions': [target?: Reference | Uri];
  /** `selected` has all files selected in the explorer. */
  'managedAgents.serviceFile.upload': [file?: Uri, selected?: readonly Uri[]];
  'managedAgents.serviceFile.download': [target?: Reference];
  'managedAgents.serviceFile.insertId': [target?: Reference];
  /** `file` is a `SKILL.md`, or any file in its folder. */
  'managedAgents.skill.create': [file?: Uri];
  /** `target` is a `SKILL.md`, any file in its folder, or a skill. */
  'managedAgents.skill.createVersion': [target?: Uri | Reference];
  'managedAgents.work.stop': [target?: Reference];
  'managedAgents.credential.rotate': [target?: Reference];
  'managedAgents.credential.validate': [target?: Reference];
  'managedAgents.webhook.disable': [target?: Reference];
  'managedAgents.webhook.enable': [target?: Reference];
  'managedAgents.webhook.regenerateSecret': [target?: Reference];
  'managedAgents.webhook.verify': [file?: Uri];
  'managedAgents.webhook.startReceiver': [];
  'managedAgents.webhook.stopReceiver': [];
  'managedAgents.delivery.resend': [target?: DeliveryTarget];
  'managedAgents.models.manageReading': [];
  'managedAgents.mcp.copyConfiguration': [];
  'managedAgents.diagnostics.copy': [];
  'managedAgents.log.show': [];
}

export type CommandId = keyof Commands;

/** Context keys that `when` clauses of package.json read. */
export interface ContextKeys {
  /**
   * State of the connection. `none`: no connection is chosen. `noKey`: the connection has no key. `untrusted`: the workspace is not
   * trusted.
   */
  'managedAgents.connectionState': 'none' | 'noKey' | 'untrusted' | 'ready';
  'managedAgents.batchesState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** State of the last listing of sessions. `noMatch`: no session matches the filter. `unsupported`: the service has no sessions. */
  'managedAgents.sessionsState': 'loading' | 'empty' | 'noMatch' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  'managedAgents.sessionsFiltered': boolean;
  /** True if an approval rule has ever decided an ask on this machine. */
  'managedAgents.approvalRulesUsed': boolean;
  'managedAgents.agentsState': 'loading' | 'empty' | 'filled' | 'unauthorized' | 'unreachable' | 'unsupported' | 'failed';
  /** State of the Resources view. `none`: the service has none of the view's groups. */
  'managedAgents.resourcesState': 'loading' | 'filled' | 'none' | 'unauthorized' | 'unreachable' | 'failed';
  /** True if the user was asked on this machine whether models may read contents. */
  'managedAgents.modelsMayRead': boolean;
  'managedAgents.webhookReceiverRunning': boolean;
  'managedAgents.emulatorRunning': boolean;
  /** True if the active editor has batch requests. */
  'managedAgents.requestFile': boolean;
  /** Paths of request files, as compared with the context key `resourcePath`. Files are classified by their first lines. */
  'managedAgents.requestFiles': readonly string[];
  'managedAgents.resultFiles': readonly string[];
  /** Files with requests in another service's format. */
  'managedAgents.otherFormFiles': readonly string[];
  /** Files from which requests can be built: CSV, JSON Lines, templates. */
  'managedAgents.rowFiles': readonly string[];
  'managedAgents.emptyFiles': readonly string[];
  'managedAgents.answeredFiles': readonly string[];
  /** Request files with results that need review. */
  'managedAgents.unfinishedFiles': readonly string[];
  'managedAgents.requestRunning': boolean;
}

/** Properties of rows of the Batches view, matched by `viewItem`. */
export type BatchRowWord =
  /** The row shows a request file, possibly together with its only run. */
  | 'file'
  /** The row has one or more batches. */
  | 'batch'
  /** The batch was not created on this machine. */
  | 'adoptable'
  /** The sent requests are recorded. */
  | 'hasSource'
  /** The service has results. */
  | 'hasResults'
  /** The results are on this machine. For a file, the results of the latest run count. */
  | 'fetched'
  /** The row can show results. For a file, results of any run count. */
  | 'showable'
  /** Some requests have no good result, so they can be sent again. */
  | 'retryable'
  /** The row is a trial, and the remaining requests were not sent. */
  | 'trial'
  /** Some parts of the run were not sent. */
  | 'unfinished'
  /** It is unknown whether a batch was created. */
  | 'unresolved'
  | 'notSent'
  /** The record has no batch, so it can be removed. */
  | 'forgettable'
  | 'cancelable'
  | 'deletable';
