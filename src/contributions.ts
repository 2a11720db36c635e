import type { TestItem, Uri } from 'vscode';
import type {
  AgentReference,
  AskReference,
  BatchReference,
  CredentialNeed,
  DeliveryTarget,
  GroupReference,
  Reference,
  RequestPlace,
  RunReference,
  SessionReference,
  SessionsFilter,
  SubmissionReference,
} from './commandArguments';
import type { SheetChoice } from './shared/sheet/sheetProtocol';

export type * from './commandArguments';
export type * from './contextKeyValues';
export type * from './settingValues';
export { views } from './views';

type BatchArguments = [target?: BatchReference];
/** A batch, which may be a part of a group, or with the id of a run all parts of it. */
type BatchOrGroupArguments = [target?: BatchReference | RunReference];
/** A run, a batch of it, the file it was made from, or its joined results. */
type RunArguments = [target?: RunReference | BatchReference | Uri];
/** A request by its file and 0-based line, in `version` of the document or as it is now. */
type RequestArguments = [file?: Uri | RequestPlace, line?: number, version?: number];
type SessionArguments = [target?: SessionReference];
/** Of several rows of the view, `selected` are all of them. */
type SessionsArguments = [target?: SessionReference, selected?: readonly SessionReference[]];
type AgentArguments = [target?: AgentReference];

/** Every command with its arguments. Mirrors `contributes.commands` of package.json, which a test compares. */
export interface Commands {
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
  /** With a rule, its problems only; `safe` is everything that has one safe answer. */
  'managedAgents.file.fix': [file?: Uri, rule?: string];
  'managedAgents.requests.editAll': [file?: Uri];
  'managedAgents.requests.showTable': [file?: Uri];
  'managedAgents.fileActions.choose': [file?: Uri];
  /** Rows, a template, or a preview; of a preview also what else its lenses do. */
  'managedAgents.file.build': [file?: Uri, act?: 'anotherRow' | 'chooseRows'];
  'managedAgents.file.convert': [file?: Uri];
  /** `selected` are all files that are selected in the explorer. */
  'managedAgents.file.arrange': [file?: Uri, selected?: readonly Uri[]];
  /** `size` is that of a trial. */
  'managedAgents.batch.create': [file?: Uri | BatchReference, choice?: SheetChoice, size?: number];
  'managedAgents.request.run': RequestArguments;
  'managedAgents.request.stop': [];
  'managedAgents.batches.refresh': [];
  'managedAgents.batches.loadMore': [];
  'managedAgents.batch.open': BatchArguments;
  'managedAgents.batch.showJson': BatchArguments;
  'managedAgents.batch.cancel': BatchOrGroupArguments;
  'managedAgents.batch.delete': BatchOrGroupArguments;
  'managedAgents.batch.copyId': BatchArguments;
  'managedAgents.batch.copyLink': BatchArguments;
  'managedAgents.batch.fetchResults': BatchOrGroupArguments;
  'managedAgents.batch.openSource': BatchArguments;
  'managedAgents.batch.openResults': BatchArguments;
  'managedAgents.submission.resolve': [target?: SubmissionReference | BatchReference];
  'managedAgents.submission.forget': [target?: SubmissionReference];
  'managedAgents.batch.adopt': BatchArguments;
  'managedAgents.group.resume': [target?: RunReference];
  'managedAgents.retry.plan': RunArguments;
  /** Of the row of a results table whose menu is open, or of all that are selected there. */
  'managedAgents.resultRow.documents': [];
  'managedAgents.resultRow.editRequest': [];
  'managedAgents.resultRow.goToLine': [];
  'managedAgents.resultRow.copyAnswer': [];
  'managedAgents.resultRow.copyIds': [];
  'managedAgents.resultRow.copyLink': [];
  'managedAgents.resultRow.copyRows': [];
  'managedAgents.resultRow.toFile': [];
  'managedAgents.run.showAtLines': [target?: RunReference | BatchReference];
  'managedAgents.results.show': [target?: RunReference | BatchReference | Uri, customId?: string, query?: string];
  'managedAgents.results.export': RunArguments;
  'managedAgents.results.compare': RunArguments;
  /** Of the line at the cursor in joined results. */
  'managedAgents.answer.goToRequest': [results?: Uri | RequestPlace, line?: number];
  /** Of a request in the Testing view. */
  'managedAgents.test.goToRequest': [test?: TestItem];
  'managedAgents.answer.nextFailed': [];
  'managedAgents.answer.previousFailed': [];
  'managedAgents.expectations.create': [file?: Uri];
  'managedAgents.answer.open': RequestArguments;
  'managedAgents.sessions.refresh': [];
  'managedAgents.sessions.loadMore': [];
  /** Without a filter the user is asked. */
  'managedAgents.sessions.filter': [filter?: SessionsFilter];
  'managedAgents.sessions.search': [];
  'managedAgents.sessions.clearFilter': [];
  /** Of an agent document the editor's title bar gives the document. */
  'managedAgents.session.create': [agent?: AgentReference | Uri];
  /** `selected` are all that are selected in the Agents view. */
  'managedAgents.session.runOnVersions': [agent?: AgentReference | Uri, selected?: readonly AgentReference[]];
  /** From the event of a row of a panel. */
  'managedAgents.session.startAgain': [from?: AskReference];
  'managedAgents.session.open': [target?: SessionReference, eventId?: string];
  'managedAgents.session.send': SessionArguments;
  'managedAgents.session.interrupt': SessionsArguments;
  'managedAgents.session.rename': SessionArguments;
  'managedAgents.session.resources': SessionArguments;
  'managedAgents.session.changeBudget': SessionArguments;
  'managedAgents.session.archive': SessionsArguments;
  'managedAgents.session.delete': SessionsArguments;
  'managedAgents.session.copyId': SessionArguments;
  /** Of an event of the session, where one is named. */
  'managedAgents.session.copyLink': [target?: SessionReference, eventId?: string];
  'managedAgents.session.showJson': SessionArguments;
  'managedAgents.session.export': SessionsArguments;
  /** With two that are selected; else with one that the user is asked for. */
  'managedAgents.session.compare': SessionsArguments;
  'managedAgents.session.makeDeployment': SessionArguments;
  'managedAgents.session.makeTest': SessionArguments;
  'managedAgents.session.openExport': [file?: Uri];
  'managedAgents.session.nextWaiting': [];
  /** At one thing that waits, where it is named by its session and event. */
  'managedAgents.inbox.open': [target?: SessionReference, eventId?: string];
  /** With an ask a rule is made of it. */
  'managedAgents.approvalRules.manage': [ask?: AskReference];
  'managedAgents.approvalRules.undo': [];
  'managedAgents.agents.refresh': [];
  /** Of the agents, or of the versions of one. */
  'managedAgents.agents.loadMore': AgentArguments;
  'managedAgents.agents.showArchived': [];
  'managedAgents.agents.hideArchived': [];
  'managedAgents.agent.open': AgentArguments;
  /** Of an agent document the document. */
  'managedAgents.agent.editPrompt': [target?: AgentReference | Uri];
  'managedAgents.agent.create': [];
  'managedAgents.agent.createFromFile': [file?: Uri];
  'managedAgents.agent.publish': [target?: AgentReference | Uri];
  'managedAgents.agent.discardDraft': [target?: AgentReference | Uri];
  /** `selected` are all that are selected in the view. */
  'managedAgents.agent.compare': [target?: AgentReference | Uri, selected?: readonly AgentReference[]];
  'managedAgents.agent.restore': AgentArguments;
  'managedAgents.agent.archive': AgentArguments;
  'managedAgents.agent.copyId': AgentArguments;
  'managedAgents.agent.copyLink': AgentArguments;
  'managedAgents.agent.showSessions': AgentArguments;
  'managedAgents.resources.refresh': [];
  'managedAgents.resources.loadMore': [group?: GroupReference];
  'managedAgents.resources.showArchived': [];
  'managedAgents.resources.hideArchived': [];
  'managedAgents.resource.open': [target?: Reference];
  'managedAgents.resource.showDetails': [target?: Reference];
  'managedAgents.resource.showJson': [target?: Reference];
  'managedAgents.resource.copyId': [target?: Reference];
  'managedAgents.resource.archive': [target?: Reference];
  'managedAgents.resource.delete': [target?: Reference];
  'managedAgents.resource.publish': [target?: Reference | Uri];
  'managedAgents.resource.compare': [target?: Reference | Uri];
  'managedAgents.resource.discardDraft': [target?: Reference | Uri];
  'managedAgents.environment.create': [];
  'managedAgents.environment.createFromFile': [file?: Uri];
  /** With a session the document begins with what that one is. */
  'managedAgents.deployment.create': [session?: SessionReference];
  'managedAgents.deployment.createFromFile': [file?: Uri];
  'managedAgents.deployment.pause': [target?: Reference];
  'managedAgents.deployment.unpause': [target?: Reference];
  'managedAgents.deployment.run': [target?: Reference];
  /** Of a deployment; without one of all. */
  'managedAgents.deployment.clearMissed': [target?: Reference];
  'managedAgents.memoryStore.create': [];
  'managedAgents.memoryStore.createFromFile': [file?: Uri];
  /** A store, or something in it. */
  'managedAgents.memoryStore.search': [target?: Reference | Uri];
  'managedAgents.memoryStore.copyToFolder': [target?: Reference | Uri];
  'managedAgents.memoryStore.writeFolder': [target?: Reference | Uri];
  'managedAgents.memory.create': [target?: Reference | Uri];
  'managedAgents.memory.open': [target?: Reference];
  'managedAgents.memory.rename': [target?: Reference | Uri];
  /** Of a memory, or of all that a store holds or held. */
  'managedAgents.memory.showVersions': [target?: Reference | Uri];
  /** Of the explorer; `selected` are all that are selected there. */
  'managedAgents.serviceFile.upload': [file?: Uri, selected?: readonly Uri[]];
  'managedAgents.serviceFile.open': [target?: Reference];
  'managedAgents.serviceFile.download': [target?: Reference];
  'managedAgents.serviceFile.insertId': [target?: Reference];
  /** A `SKILL.md`, or anything in its folder. */
  'managedAgents.skill.create': [file?: Uri];
  /** As for `managedAgents.skill.create`, or a skill. */
  'managedAgents.skill.createVersion': [target?: Uri | Reference];
  'managedAgents.skill.compare': [target?: Uri | Reference];
  'managedAgents.work.stop': [target?: Reference];
  'managedAgents.work.forceStop': [target?: Reference];
  'managedAgents.vault.create': [];
  'managedAgents.vault.createFromFile': [file?: Uri];
  /** To a vault, or to the one whose credentials a group shows. */
  'managedAgents.credential.add': [target?: Reference | GroupReference];
  'managedAgents.credential.rotate': [target?: Reference];
  'managedAgents.credential.edit': [target?: Reference];
  'managedAgents.credential.validate': [target?: Reference];
  'managedAgents.credential.mend': [need?: CredentialNeed];
  /** `url` is offered as the address. */
  'managedAgents.webhook.create': [url?: string];
  'managedAgents.webhook.edit': [target?: Reference];
  'managedAgents.webhook.disable': [target?: Reference];
  'managedAgents.webhook.enable': [target?: Reference];
  'managedAgents.webhook.regenerateSecret': [target?: Reference];
  'managedAgents.webhook.verify': [file?: Uri];
  'managedAgents.webhook.startReceiver': [];
  'managedAgents.webhook.stopReceiver': [];
  'managedAgents.delivery.open': [target?: DeliveryTarget];
  'managedAgents.delivery.resend': [target?: DeliveryTarget];
  'managedAgents.models.manageReading': [];
  'managedAgents.mcp.copyConfiguration': [];
  'managedAgents.diagnostics.copy': [];
  'managedAgents.log.show': [];
}

export type CommandId = keyof Commands;
