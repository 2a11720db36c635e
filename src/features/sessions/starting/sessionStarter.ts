import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import type { Session } from '../../../client/schemas/sessions';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice } from '../../../common/asking/askSteps';
import { askModal, showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import { describeIgnored } from '../../../common/text/describeIgnored';
import { describeTrust } from '../../../common/text/describeTrust';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { type Connection, type Reached, reach, readyConnection } from '../../connection';
import { noOverrides } from '../attaching/askOverrides';
import { type Drafts, describeFailure, sendMessage, sendText } from '../sendMessage';
import type { SessionActionContext } from '../sessionActionContext';
import { type ChosenAgent, pickAgent } from './agentPicker';
import { askLongMessage } from './askLongMessage';
import { askPart, groupsOf, type StartGroups } from './askPart';
import { type Answers, type AskedPart, choicesOf, isWorthKeeping, type Part, toStartParams } from './choicesOf';
import { chooseEnvironment, listEnvironments, onlyEnvironment } from './environmentChoice';
import { FirstMessageDocument } from './firstMessageDocument';
import { sendFirstMessage } from './sendFirstMessage';
import { confirmUpload, tellPlaces } from './sessionFiles';
import { startSession } from './sessionStart';
import { appearedSince, sessionsBefore } from './uncertainStart';

/** Started session. `problem` describes how it differs from the requested one. */
interface Begun {
  readonly reference: SessionReference;
  readonly problem: string | undefined;
}

/** Starts sessions. Keeps the answers of a failed or cancelled start for the next one. */
export class SessionStarter implements vscode.Disposable {
  private kept: Answers | undefined;
  private readonly written = new FirstMessageDocument();

  constructor(
    private readonly deps: SessionActionContext,
    private readonly drafts: Drafts,
  ) {}

  /** Returns whether a document is the first message of a pending start. */
  isMessage(document: vscode.Uri): boolean {
    return this.written.is(document);
  }

  dispose(): void {
    this.written.dispose();
  }

  /**
   * Asks for the parameters of a session, starts it and opens it. `given` is its agent. `goesOn` continues the start whose message was
   * written in an editor.
   */
  async start(given: AgentReference | undefined, goesOn = false): Promise<void> {
    const { connection, client } = await this.reachFor(goesOn ? this.kept : given);
    const title = vscode.l10n.t('Start a Session on {0}', toLabel(connection.name, 60));
    const message = this.written.text?.trim();
    if (this.kept !== undefined && message !== undefined) {
      this.kept.message = message;
    }
    const kept = given === undefined ? this.keptFor(connection) : undefined;
    const agent = kept?.agent ?? (await this.agentFor(client, given, title));
    const groups = groupsOf(client, this.deps.lifetime);
    const environments = await listEnvironments(client, this.deps.lifetime);
    const environment =
      environments && (kept?.environment ?? onlyEnvironment(environments) ?? (await chooseEnvironment(client, environments, title)));
    const answers: Answers = kept ?? {
      connection: connection.name,
      baseUrl: connection.baseUrl,
      agent,
      environment,
      title: '',
      message: (goesOn ? message : undefined) ?? '',
      files: [],
      folder: '',
      uploaded: new Map(),
      repositories: [],
      memoryStores: [],
      vaults: [],
      budget: undefined,
      overrides: noOverrides,
      failure: undefined,
    };
    this.kept = answers;
    const context = this.deps.presentation();
    const ask = (part: AskedPart) => askPart(part, answers, { client, groups, environments: environments ?? [], title, context });
    await this.askAndStart(connection, client, answers, { title, groups, ask });
  }

  /** Returns the answers of the previous start, if they contain more than those of a new one. */
  private keptFor({ name, baseUrl }: Connection): Answers | undefined {
    const { kept } = this;
    // Tokens and uploaded files belong to the service that they were sent to.
    return kept?.connection === name && kept.baseUrl === baseUrl && isWorthKeeping(kept) ? kept : undefined;
  }

  private async askAndStart(
    connection: Connection,
    client: ServiceClient,
    answers: Answers,
    { title, groups, ask }: { readonly title: string; readonly groups: StartGroups; readonly ask: (part: AskedPart) => Promise<void> },
  ): Promise<void> {
    const { deps } = this;
    for (;;) {
      const part = await askChoice<Part>({
        title,
        placeholder:
          answers.failure?.isUnknown === true
            ? vscode.l10n.t('The session may have been started on {0}', hostOf(connection))
            : vscode.l10n.t('Enter starts the session on {0}', hostOf(connection)),
        choices: choicesOf(answers, { memoryStores: groups.memoryStores.isAbsent, vaults: groups.vaults.isAbsent }),
        ...(answers.failure?.isUnknown === true ? {} : { active: 'start' as const }),
      });
      if (part === 'failure') {
        // Shows the failure in full like any other error, with its remedies. The answers are kept for the next start.
        throw answers.failure?.error;
      }
      if (part === 'look') {
        await this.lookForStarted(client, answers);
        continue;
      }
      if (typeof part === 'object') {
        this.kept = undefined;
        deps.store.put(connection.name, part.open);
        await this.open(this.adopted(connection, part.open, answers), client, answers.message);
        return;
      }
      if (part === 'write' || (part === 'message' && this.written.text !== undefined)) {
        if (await this.writeMessage(title, answers)) {
          // The code lens in the document continues from here.
          return;
        }
        continue;
      }
      if (part !== 'start') {
        await ask(part);
        continue;
      }
      const started = await this.tryToStart(connection, client, answers);
      if (started !== undefined) {
        this.kept = undefined;
        await this.open(started, client, answers.message);
        return;
      }
    }
  }

  /** Opens the message in an editor. Returns false if the user cancels first. */
  private async writeMessage(title: string, { message }: Answers): Promise<boolean> {
    try {
      await this.written.write(await askLongMessage(title, this.written.text ?? message));
      return true;
    } catch (error) {
      if (isCancellation(error)) {
        return false;
      }
      throw error;
    }
  }

  /** Starts the session. Returns `undefined` on failure and stores the reason in the answers. */
  private async tryToStart(connection: Connection, client: ServiceClient, answers: Answers): Promise<Begun | undefined> {
    const { deps } = this;
    const { agent, files, uploaded } = answers;
    const params = toStartParams(answers, dialects[connection.dialect].repositoryType);
    let isSent = false;
    try {
      await confirmUpload(connection, files, uploaded);
      const { session, tookNoFiles, places, ignored } = await withProgress(
        vscode.l10n.t('Starting a session'),
        deps.lifetime,
        async (signal, report) => {
          if (answers.failure?.isUnknown !== true || answers.before?.agentId !== agent.id) {
            answers.before = { agentId: agent.id, ids: await sessionsBefore(client.sessions, agent.id, signal) };
          }
          return await startSession(client, params, {
            ...{ signal, report, uploaded },
            onCreate: () => {
              isSent = true;
            },
            describeUpload: ({ name }, number) => vscode.l10n.t('Sending {0} ({1} of {2})', toLabel(name, 60), number, files.length),
          });
        },
      );
      if (tookNoFiles) {
        void showInformation(vscode.l10n.t('This service has no place for files. The session was started without them.'));
      }
      if (places.length > 0) {
        void tellPlaces(places).catch(error => deps.log.error('The places of files could not be shown', error));
      }
      deps.store.put(connection.name, session);
      const problem = ignored.length === 0 ? undefined : describeIgnored(vscode.l10n.t('the session'), ignored, vscode.l10n.t);
      return { reference: { connection: connection.name, sessionId: session.id }, problem };
    } catch (error) {
      const isUnknown = isSent && !(error instanceof ServiceError && (error.outcome === 'refused' || error.outcome === 'not_sent'));
      if (isUnknown || !isCancellation(error)) {
        deps.log.error('A session could not be started', error);
        answers.failure = { error, isUnknown: isUnknown || answers.failure?.isUnknown === true, appeared: [] };
        deps.refresh().catch(failed => deps.log.error('Sessions could not be read', failed));
      }
      if (answers.failure?.isUnknown === true) {
        await this.lookForStarted(client, answers);
      }
      return undefined;
    }
  }

  /** Searches for the session that may have been started and stores the result in `answers.failure`. */
  private async lookForStarted(client: ServiceClient, answers: Answers): Promise<void> {
    const { deps } = this;
    const { title, failure, before } = answers;
    if (failure === undefined || before === undefined) {
      return;
    }
    try {
      const appeared = await withProgress(vscode.l10n.t('Looking for the session'), deps.lifetime, signal =>
        appearedSince(client.sessions, { agentId: before.agentId, title, before: before.ids }, signal),
      );
      answers.failure = { ...failure, appeared };
    } catch (error) {
      // The user can choose to search again.
      deps.log.error('Sessions could not be listed after a start', error);
    }
  }

  /** Returns the session that the user identified as the started one. Its first message needs another confirmation. */
  private adopted({ name }: Connection, { id }: Session, { message }: Answers): Begun {
    const problem = message.trim() === '' ? undefined : vscode.l10n.t('It is not certain that you started this session.');
    return { reference: { connection: name, sessionId: id }, problem };
  }

  /**
   * Opens a newly started session and sends its first message. Asks for the message again, with its text, if it can't be sent or if the
   * session differs from the requested one.
   */
  private async open({ reference, problem }: Begun, client: ServiceClient, message: string): Promise<void> {
    const { deps, written } = this;
    if (problem !== undefined && message.trim() === '') {
      void showWarning(problem);
    }
    await deps.followed.follow(reference, Date.now());
    await deps.panels.open(reference, message.trim() === '' ? { focus: 'composer' } : {});
    if (message.includes('\n')) {
      // An input box has only one line, so a longer message stays in an editor until it is sent.
      await confirmMessage(problem);
      await sendFirstMessage(
        deps,
        client.sessions,
        reference,
        message,
        written.text?.trim() === message ? () => written.write(message) : undefined,
      );
    } else if (message.trim() !== '' && problem !== undefined) {
      await sendMessage(deps, this.drafts, reference, {
        text: message,
        problem: vscode.l10n.t('{0} Enter sends the message all the same.', problem),
      });
    } else if (message.trim() !== '') {
      try {
        await sendText(client.sessions, reference.sessionId, message, deps.lifetime);
      } catch (error) {
        deps.log.error('The first message of a session could not be sent', error);
        await sendMessage(deps, this.drafts, reference, { text: message, problem: describeFailure(error) });
      }
    }
    if (written.text?.trim() === message) {
      await written.close();
    }
    await deps.refresh();
  }

  private async agentFor(client: ServiceClient, given: AgentReference | undefined, title: string): Promise<ChosenAgent> {
    const context = this.deps.presentation();
    if (given === undefined) {
      return await pickAgent(client, { title, placeholder: vscode.l10n.t('Start a session of which agent?') }, context);
    }
    const { data } = await client.agents.retrieve(given.agentId, given.version === undefined ? {} : { version: given.version });
    const latest = given.version === undefined ? (data.version ?? undefined) : undefined;
    return { id: given.agentId, name: data.name?.trim() || given.agentId, version: given.version, latest };
  }

  private async reachFor(given: Pick<AgentReference, 'connection'> | undefined): Promise<Reached> {
    const { connections } = this.deps;
    const ready = await readyConnection(connections, {
      question: vscode.l10n.t('Start the session where?'),
      untrusted: vscode.l10n.t('No session was started. {0}', describeTrust(vscode.l10n.t)),
    });
    return await reach(connections, given?.connection ?? ready, 'change');
  }
}

/**
 * Asks whether to send a message to a session that differs from the requested one. Rejects with a `CancelledError` if the user declines.
 */
async function confirmMessage(problem: string | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const send = t('Send All the Same');
  if (problem !== undefined && (await askModal(t('Send the first message to this session?'), { detail: problem }, send)) !== send) {
    throw new CancelledError();
  }
}
