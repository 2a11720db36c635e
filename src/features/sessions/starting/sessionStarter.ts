import * as vscode from 'vscode';
import type { Environment } from '../../../client/schemas/environments';
import type { ServiceClient } from '../../../client/serviceClient';
import { askChoice, askText } from '../../../common/asking/askSteps';
import { askModal, showInformation, showWarning } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { CancelledError, isCancellation } from '../../../common/cancellation';
import { describeTrust } from '../../../common/text/describeTrust';
import { hostOf } from '../../../common/text/presentation';
import type { AgentReference, SessionReference } from '../../../contributions';
import { toByteSize, toLabel } from '../../../shared/text';
import { type Connection, type Reached, reach, readyConnection } from '../../connection';
import { describeTitleProblem } from '../renameSession';
import { type Drafts, describeFailure, sendMessage, sendText } from '../sendMessage';
import type { SessionActionContext } from '../sessionActionContext';
import { type ChosenAgent, pickAgent, pickVersion } from './agentPicker';
import { type Answers, choicesOf, type Part } from './choicesOf';
import { chooseEnvironment, listEnvironments, onlyEnvironment } from './environmentChoice';
import { askFolder, describeFiles, pickFiles, tellPlaces, totalBytes } from './sessionFiles';
import { type SessionFile, startSession } from './sessionStart';

/** A session that was started; `problem` is what it has not as it was asked for. */
interface Begun {
  readonly reference: SessionReference;
  readonly problem: string | undefined;
}

/** Starts sessions. The answers of a start that failed or was left are there the next time. */
export class SessionStarter {
  private kept: Answers | undefined;

  constructor(
    private readonly deps: SessionActionContext,
    private readonly drafts: Drafts,
  ) {}

  /** Asks for what a session needs, starts it and opens it. `given` is the agent it is about. */
  async start(given: AgentReference | undefined): Promise<void> {
    const { connection, client } = await this.reachFor(given);
    const title = vscode.l10n.t('Start a Session on {0}', toLabel(connection.name, 60));
    const kept = given === undefined ? this.keptFor(connection) : undefined;
    const agent = kept?.agent ?? (await this.agentFor(client, given, title));
    const environments = await listEnvironments(client, this.deps.lifetime);
    const environment =
      environments && (kept?.environment ?? onlyEnvironment(environments) ?? (await chooseEnvironment(client, environments, title)));
    const answers: Answers = kept ?? {
      connection: connection.name,
      agent,
      environment,
      title: '',
      message: '',
      files: [],
      folder: '',
      uploaded: new Map(),
      failure: undefined,
    };
    this.kept = answers;
    await this.askAndStart(connection, client, answers, environments, title);
  }

  /** What was answered before, if it is worth more than asking anew. */
  private keptFor({ name }: Connection): Answers | undefined {
    const { kept } = this;
    const isWorth = kept !== undefined && (kept.failure !== undefined || kept.title !== '' || kept.message !== '' || kept.files.length > 0);
    return isWorth && kept.connection === name ? kept : undefined;
  }

  private async askAndStart(
    connection: Connection,
    client: ServiceClient,
    answers: Answers,
    environments: readonly Environment[] | undefined,
    title: string,
  ): Promise<void> {
    for (;;) {
      const part = await askChoice<Part>({
        title,
        placeholder: vscode.l10n.t('Enter starts the session on {0}', hostOf(connection)),
        choices: choicesOf(answers),
        active: 'start',
      });
      if (part === 'failure') {
        // By the road of all errors: whole, and with what helps. The answers stay for the next time.
        throw answers.failure?.error;
      }
      if (part !== 'start') {
        await this.askAgain(part, client, answers, environments, title);
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

  /** Asks for one part; turning back from it leaves it as it was. */
  private async askAgain(
    part: Exclude<Part, 'start' | 'failure'>,
    client: ServiceClient,
    answers: Answers,
    environments: readonly Environment[] | undefined,
    title: string,
  ): Promise<void> {
    const context = this.deps.presentation();
    try {
      switch (part) {
        case 'agent':
          answers.agent = await pickAgent(client, { title, placeholder: vscode.l10n.t('Start a session of which agent?') }, context);
          break;
        case 'version':
          answers.agent = await pickVersion(client, answers.agent, title, context);
          break;
        case 'environment':
          answers.environment = await chooseEnvironment(client, environments ?? [], title, answers.environment?.id);
          break;
        case 'title':
          answers.title = await askText({
            title,
            prompt: vscode.l10n.t('Title of the session; may be empty'),
            value: answers.title,
            validate: describeTitleProblem,
          });
          break;
        case 'message':
          answers.message = await askText({
            title,
            prompt: vscode.l10n.t('First message; may be empty. Long messages are better written in the session itself.'),
            value: answers.message,
            validate: () => undefined,
          });
          break;
        case 'files':
          answers.files = await pickFiles(title, answers.files);
          break;
        case 'folder':
          answers.folder = await askFolder(title, answers.folder);
          break;
      }
      answers.failure = undefined;
    } catch (error) {
      if (!isCancellation(error)) {
        throw error;
      }
    }
  }

  /** Undefined when it failed: then the answers say why. */
  private async tryToStart(connection: Connection, client: ServiceClient, answers: Answers): Promise<Begun | undefined> {
    const { deps } = this;
    const { agent, environment, title, files, folder, uploaded } = answers;
    try {
      await confirmUpload(connection, files, uploaded);
      const { session, tookNoFiles, places, otherVersion } = await withProgress(
        vscode.l10n.t('Starting a session'),
        deps.lifetime,
        (signal, report) =>
          startSession(
            client,
            { agentId: agent.id, agentVersion: agent.version, environmentId: environment?.id, title, files, folder },
            {
              signal,
              report,
              uploaded,
              describeUpload: ({ name }, number) => vscode.l10n.t('Sending {0} ({1} of {2})', toLabel(name, 60), number, files.length),
            },
          ),
      );
      if (tookNoFiles) {
        void showInformation(vscode.l10n.t('This service has no place for files. The session was started without them.'));
      }
      if (places.length > 0) {
        void tellPlaces(places).catch(error => deps.log.error('The places of files could not be shown', error));
      }
      deps.store.put(connection.name, session);
      const problem =
        otherVersion === undefined
          ? undefined
          : vscode.l10n.t(
              'The service ignored the chosen version {0} of {1}: the session has version {2}.',
              agent.version ?? '?',
              toLabel(agent.name, 60),
              otherVersion,
            );
      return { reference: { connection: connection.name, sessionId: session.id }, problem };
    } catch (error) {
      if (!isCancellation(error)) {
        deps.log.error('A session could not be started', error);
        answers.failure = { error };
        deps.refresh().catch(failed => deps.log.error('Sessions could not be read', failed));
      }
      return undefined;
    }
  }

  /**
   * Opens a session that was just started, and sends its first message; one that is not sent is asked for again with its text, and so
   * is one for a session that is not what was asked for.
   */
  private async open({ reference, problem }: Begun, client: ServiceClient, message: string): Promise<void> {
    const { deps } = this;
    if (problem !== undefined && message.trim() === '') {
      void showWarning(problem);
    }
    await deps.followed.follow(reference, Date.now());
    await deps.panels.open(reference, message.trim() === '' ? { focus: 'composer' } : {});
    if (message.trim() !== '' && problem !== undefined) {
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

  private async reachFor(given: AgentReference | undefined): Promise<Reached> {
    const { connections } = this.deps;
    const ready = await readyConnection(connections, {
      question: vscode.l10n.t('Start the session where?'),
      untrusted: vscode.l10n.t('No session was started. {0}', describeTrust(vscode.l10n.t)),
    });
    return await reach(connections, given?.connection ?? ready, 'change');
  }
}

/** More than these are sent only after a question. */
const unasked = { files: 10, bytes: 10_000_000 };

async function confirmUpload(connection: Connection, files: readonly SessionFile[], uploaded: ReadonlyMap<string, string>): Promise<void> {
  const left = files.filter(({ key }) => !uploaded.has(key));
  if (left.length <= unasked.files && totalBytes(left) <= unasked.bytes) {
    return;
  }
  const send = vscode.l10n.t('Send Them');
  const answer = await askModal(
    vscode.l10n.t('Send {0} to {1}?', describeFiles(left), hostOf(connection)),
    {
      detail: vscode.l10n.t(
        'The agent can read them in its sandbox. Largest: {0}.',
        toByteSize(Math.max(...left.map(({ byteLength }) => byteLength)), vscode.env.language),
      ),
    },
    send,
  );
  if (answer !== send) {
    throw new CancelledError();
  }
}
