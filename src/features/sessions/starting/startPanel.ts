import * as vscode from 'vscode';
import type { Environment } from '../../../client/resources/environments';
import type { Session } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { askChoice } from '../../../common/asking/askSteps';
import { showFailure, showWarning } from '../../../common/asking/notifications';
import { isCancellation } from '../../../common/cancellation';
import { toLocalFile } from '../../../common/files/localFile';
import { PanelHost } from '../../../common/panels/panelHost';
import { describeError } from '../../../common/text/describeError';
import { hostOf, nameWithHost } from '../../../common/text/presentation';
import { withoutLinks } from '../../../common/text/withoutLinks';
import type { SessionReference } from '../../../contributions';
import { fromStartSchema } from '../../../shared/session/fromStartSchema';
import type { FromStart, StartPart, StartState, ToStart } from '../../../shared/session/startProtocol';
import { toLabel } from '../../../shared/text';
import { type Connection, type Reached, reach } from '../../connection';
import { createSuggestions } from '../composing/composerHost';
import { WorkspaceFiles } from '../composing/workspaceFiles';
import type { SessionActionContext } from '../sessionActionContext';
import { viewTypes } from '../viewTypes';
import { type ChosenAgent, lastAgent, writeLastAgent } from './agentPicker';
import { createSessions, findStartedSessions, UncertainStart } from './createSessions';
import { defaultEnvironment, listEnvironments } from './environmentChoice';
import { type Answers, type AskedPart, askPart, describeStartFailure, rareChoices, toAnswers, toChips } from './startAnswers';

/** Initial values of the start panel, set by a command. */
export interface FilledStart {
  readonly heading: string;
  readonly notes: readonly string[];
  readonly button: string;
  readonly answers: Partial<Answers>;
  /** Builds the first message from the user's text. If given, the text is required. */
  readonly toMessage?: (text: string) => string;
  /** Called after the first message was sent to all sessions. */
  readonly onStarted?: (sessions: readonly SessionReference[]) => void;
}

/**
 * Panel of a session that does not exist yet: the composer of its first message, with chips for everything else. Enter starts the session.
 */
export class StartPanel {
  readonly answers: Answers;
  private readonly found = new WorkspaceFiles();
  private readonly uncertain: UncertainStart;
  private readonly host: PanelHost<FromStart, ToStart>;
  private environments: readonly Environment[] | undefined;
  private isBusy = false;

  constructor(
    private readonly deps: SessionActionContext,
    private readonly connection: Connection,
    private readonly filled: FilledStart,
    state: object,
    { panel, onDispose }: { readonly panel?: vscode.WebviewPanel | undefined; readonly onDispose?: () => void } = {},
  ) {
    this.answers = toAnswers(filled.answers);
    this.uncertain = new UncertainStart(deps.memento, JSON.stringify([connection.name, connection.baseUrl]));
    this.host = new PanelHost<FromStart, ToStart>({
      ...{ panel, extension: deps.extension, log: deps.log, state, title: filled.heading },
      ...{ viewType: viewTypes.newSession, bundle: 'session', schema: fromStartSchema },
      onReady: () => this.draw(),
      onMessage: message => this.handle(message).catch(error => this.fail(error)),
      onDispose: () => {
        this.found.dispose();
        onDispose?.();
      },
    });
    void this.whileBusy(() => this.prepare());
  }

  isOn({ name, baseUrl }: Connection): boolean {
    return this.connection.name === name && this.connection.baseUrl === baseUrl;
  }

  show(agent: ChosenAgent | undefined): void {
    this.answers.agent = agent ?? this.answers.agent;
    this.draw();
    this.host.panel.reveal();
    this.focus();
  }

  private async handle(message: Exclude<FromStart, { readonly type: 'ready' }>): Promise<void> {
    switch (message.type) {
      case 'choose':
        await this.choose(message.part);
        return this.focus();
      case 'start':
        return await this.whileBusy(() => this.start(message.text));
      case 'openStarted':
        return await this.whileBusy(() => this.adopt(message.id, message.text));
      case 'attachFile':
        return await this.addFile(message.id);
      case 'composing':
      case 'detachFile':
        return;
      default:
        // The handler of `message.type` accepts exactly this type of message.
        await (createSuggestions(this.found)[message.type] as (message: FromStart, panel: object) => Promise<void>)(message, {
          send: (answer: ToStart) => this.host.post(answer),
        });
    }
  }

  /** Runs `act`, and shows the panel as busy until the action is done. Does nothing while another action runs. */
  private async whileBusy(act: () => Promise<void>): Promise<void> {
    if (this.isBusy) {
      return;
    }
    this.isBusy = true;
    this.draw();
    try {
      await act();
    } catch (error) {
      this.fail(error);
    } finally {
      this.isBusy = false;
      this.draw();
    }
  }

  private fail(error: unknown): void {
    if (isCancellation(error) || this.host.signal.aborted) {
      return;
    }
    if (this.answers.failure?.isUnknown === true) {
      // An unknown outcome stays unknown, whatever fails later.
      void showFailure(describeError(error));
    } else {
      this.answers.failure = { error, isUnknown: false, appeared: [] };
      this.draw();
    }
  }

  private async reach(): Promise<Reached> {
    const reached = await reach(this.deps.connections, this.connection.name, 'change');
    // Tokens and uploaded files belong to the service that they were sent to.
    if (!this.isOn(reached.connection)) {
      throw new Error(vscode.l10n.t('The address of this connection has changed. Open a new panel to start a session.'));
    }
    return reached;
  }

  private async prepare(): Promise<void> {
    const { answers, uncertain, deps } = this;
    const before = uncertain.read();
    if (before !== undefined) {
      const error = new Error(vscode.l10n.t("The service didn't respond to an earlier start."));
      answers.before = before;
      answers.failure = { error, isUnknown: true, appeared: [] };
    }
    const { client } = await this.reach();
    if (before !== undefined) {
      await findStartedSessions(deps, client, answers);
    }
    answers.agent ??= await lastAgent(client, deps.memento, this.connection.name);
    await this.readEnvironments(client);
  }

  private async readEnvironments(client: Reached['client']): Promise<void> {
    if (this.environments === undefined) {
      const environments = await listEnvironments(client, this.host.signal);
      this.answers.hasEnvironments = environments !== undefined;
      this.environments = environments ?? [];
      this.answers.environment = defaultEnvironment(this.environments, this.answers.environment);
    }
  }

  private async choose(part: StartPart): Promise<void> {
    if (this.isBusy) {
      return;
    }
    if (part === 'another') {
      this.answers.failure = undefined;
      this.uncertain.write(undefined);
    } else {
      await this.ask(part);
    }
    this.draw();
  }

  private async ask(part: AskedPart | 'more'): Promise<void> {
    const { answers } = this;
    const { client } = await this.reach();
    await this.readEnvironments(client);
    const title = this.filled.heading;
    const asked =
      part === 'more'
        ? await askChoice<AskedPart>({ title, placeholder: vscode.l10n.t('Select what to set'), choices: rareChoices(answers) })
        : part;
    const { signal } = this.host;
    await askPart(asked, answers, { client, signal, environments: this.environments ?? [], title, context: this.deps.presentation() });
  }

  private async addFile(id: string): Promise<void> {
    const { answers, found } = this;
    const uri = found.uriOf(id);
    if (uri !== undefined) {
      const file = await toLocalFile(uri);
      answers.files = [...answers.files.filter(({ key }) => key !== file.key), file];
      this.draw();
    }
  }

  private async start(text: string): Promise<void> {
    const { answers, deps, filled } = this;
    const reached = await this.reach();
    if (answers.failure?.isUnknown === true) {
      // Searches again instead of creating another session, because the user has to decide first.
      return await findStartedSessions(deps, reached.client, answers);
    }
    if (filled.toMessage !== undefined && text.trim() === '') {
      throw new Error(vscode.l10n.t('Enter a message'));
    }
    await this.readEnvironments(reached.client);
    for (const part of ['agent', 'environment'] as const) {
      if (answers[part] === undefined && (part === 'agent' || answers.hasEnvironments)) {
        await this.ask(part);
        if (answers[part] === undefined) {
          return;
        }
      }
    }
    const { agent } = answers;
    if (agent === undefined) {
      return;
    }
    const differs = await createSessions(deps, reached, Object.assign(answers, { agent }), text, this.uncertain);
    if (differs !== undefined) {
      await writeLastAgent(deps.memento, this.connection.name, agent.id);
      await this.open(reached, answers.started, text, differs);
    }
  }

  /** Opens the session that the user identified as the started session. Pressing Enter again sends its first message. */
  private async adopt(id: string, text: string): Promise<void> {
    const { answers, deps, connection } = this;
    const session = answers.failure?.appeared.find(one => one.id === id);
    if (session !== undefined) {
      this.uncertain.write(undefined);
      deps.store.put(connection.name, session);
      await this.open(
        await this.reach(),
        [...answers.started, session],
        text,
        vscode.l10n.t('Someone else may have started this session.'),
      );
    }
  }

  /** Sends the first message, unless the sessions may differ from the request. Replaces this panel with the panels of the sessions. */
  private async open({ connection, client }: Reached, sessions: readonly Session[], text: string, differs: string): Promise<void> {
    const { deps, filled, host } = this;
    const { t } = vscode.l10n;
    const message = text.trim() === '' ? '' : (filled.toMessage?.(text) ?? text);
    const references = sessions.map(({ id }) => ({ connection: connection.name, sessionId: id }));
    let unsent = differs;
    for (const { sessionId } of message === '' || differs !== '' ? [] : references) {
      try {
        await client.sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text: message }] }], {
          signal: deps.lifetime,
        });
      } catch (error) {
        deps.log.error('The first message of a session could not be sent', error);
        const isUnknown = error instanceof ServiceError && error.outcome === 'unknown';
        const words = withoutLinks(toLabel(describeError(error), 400));
        unsent = isUnknown
          ? t('The message may have arrived. Check the session before you send it again. {0}', words)
          : t('Not sent. {0}', words);
      }
    }
    for (const [index, reference] of references.entries()) {
      const given = unsent === '' ? {} : { given: message };
      const focus = message === '' || unsent !== '' ? ({ focus: 'composer' } as const) : {};
      const position = index > 0 ? { isBeside: true } : host.signal.aborted ? {} : { replaces: host.panel };
      await deps.panels.open(reference, { ...given, ...focus, ...position });
      await deps.followed.follow(reference, Date.now());
    }
    if (differs !== '') {
      void showWarning(message === '' ? differs : t('{0} Press Enter to send it anyway.', differs));
    } else if (unsent !== '') {
      void showFailure(unsent);
    } else if (message !== '') {
      filled.onStarted?.(references);
    }
    await deps.refresh();
  }

  private focus(): void {
    void this.host.post({ type: 'focus', target: 'composer' });
  }

  private draw(): void {
    const { answers, filled, connection, isBusy } = this;
    const { failure } = answers;
    const { t } = vscode.l10n;
    void this.host.post({
      ...{ type: 'start', isBusy, heading: filled.heading, notes: filled.notes, chips: toChips(answers) },
      source: nameWithHost({ name: connection.name, host: hostOf(connection) }),
      button: failure?.isUnknown === true ? t('Check Again') : failure === undefined ? filled.button : t('Try Again'),
      ...(failure !== undefined && {
        failure: {
          text: describeStartFailure(failure, answers),
          isUnknown: failure.isUnknown,
          appeared: failure.appeared.map(({ id, title }) => ({ id, title: toLabel(title?.trim() || id, 60) })),
        },
      }),
    } satisfies StartState);
  }
}
