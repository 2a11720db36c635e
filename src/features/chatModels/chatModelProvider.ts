import * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import type { Model } from '../../client/schemas/models';
import { listAll } from '../../client/transport/pagination';
import { askModal } from '../../common/asking/notifications';
import { CancelledError, toAbortSignal } from '../../common/cancellation';
import { type ConsentedConnection, Consents, consentKeys } from '../../common/consents';
import { combine } from '../../common/disposables';
import { readEstimateSettings } from '../../common/estimateSettings';
import { describeError } from '../../common/text/describeError';
import { orAborted } from '../../jsonl/files/orAborted';
import { toLabel } from '../../shared/text';
import { type Connection, type Reached, reach } from '../connection';
import { loadStreamedAnswer } from '../requests';
import { estimateTokens } from './estimateTokens';
import type { ChatModelsDependencies } from './index';
import { endsRequests, type OfferedModel, toOfferedModels } from './offeredChatModels';
import { toTool, toTurn } from './readTurns';
import { type AnswerSum, type ChatEnd, streamChat } from './streamChat';
import { toModelError } from './toModelError';

/** Models that are listed; a workspace exposes a handful. */
const mostModels = 1_000;

/** The models of the connection that this window uses, for the chats of VS Code and for other extensions. Loaded when they are first asked for. */
export class ChatModelProvider implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  private readonly consents: Consents;
  /** What the service listed, by what it was listed with. */
  private listed: { readonly access: string; readonly models: Promise<readonly Model[]> } | undefined;
  /** What VS Code was told last; undefined until it asked. */
  private told: string | undefined;
  private readonly subscriptions: vscode.Disposable;

  /** `changed` fires when there are other models than VS Code was told of. */
  constructor(
    private readonly deps: ChatModelsDependencies,
    private readonly isOn: () => boolean,
    private readonly changed: vscode.EventEmitter<void>,
    ask: (connection: ConsentedConnection) => Promise<boolean> = askToSend,
  ) {
    this.consents = new Consents(deps.context.globalState, consentKeys.chat, ask);
    const follow = () => void this.follow();
    this.subscriptions = combine(deps.connections.onDidChange(follow), vscode.workspace.onDidGrantWorkspaceTrust(follow));
  }

  /** The models that can be asked now. Never asks the user anything, and never rejects. */
  async list(): Promise<OfferedModel[]> {
    const models = await this.find();
    this.told = JSON.stringify(models);
    return [...models];
  }

  /** Sends a chat to a model and tells its answer as it comes. Rejects with an error in words, of a kind that VS Code knows. */
  async respond(
    model: OfferedModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const caller = toAbortSignal(token);
    const signal = AbortSignal.any([caller.signal, this.lifetime.signal]);
    try {
      const { connection, client } = await this.reach(model, signal);
      const { StreamedAnswer } = await loadStreamedAnswer();
      const answer = new StreamedAnswer();
      const end = await streamChat(
        client,
        {
          model: model.model,
          turns: messages.map(toTurn),
          tools: (options.tools ?? []).map(toTool),
          mustCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
          options: options.modelOptions ?? {},
          maxOutputTokens: model.maxOutputTokens,
          naming: dialects[connection.dialect],
        },
        answer,
        {
          text: added => progress.report(new vscode.LanguageModelTextPart(added)),
          call: ({ id, name, input }) => progress.report(new vscode.LanguageModelToolCallPart(id, name, input)),
        },
        signal,
      );
      this.note(model, end, answer);
      refuseUnlessWhole(end);
    } catch (error) {
      throw toModelError(signal.aborted ? new CancelledError() : error);
    } finally {
      caller.dispose();
    }
  }

  /** Tokens of a text or a message, estimated. */
  count(said: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(typeof said === 'string' ? said : toTurn(said));
  }

  /**
   * After the setting changed: takes back for which connections requests may cost money, and has models listed anew. On as well as off:
   * it can have been turned off where no window saw it, and what was agreed to ends with that. Never rejects.
   */
  async startOver(): Promise<void> {
    this.listed = undefined;
    try {
      await this.consents.set([]);
    } catch (error) {
      this.deps.log.error('What was agreed to for chats could not be taken back', error);
    }
    this.changed.fire();
  }

  dispose(): void {
    this.lifetime.abort();
    this.subscriptions.dispose();
  }

  private async follow(): Promise<void> {
    if (this.told !== undefined) {
      const found = JSON.stringify(await this.find());
      if (this.told !== found) {
        this.told = found;
        this.changed.fire();
      }
    }
  }

  private async find(): Promise<readonly OfferedModel[]> {
    await this.deps.connections.whenKnown;
    const connection = this.offered();
    return connection === undefined ? [] : toOfferedModels(connection, await this.modelsOf(connection), vscode.l10n.t);
  }

  /** The connection whose models are offered, if any. */
  private offered(): Connection | undefined {
    const { current, state } = this.deps.connections;
    const isUsable =
      vscode.workspace.isTrusted && this.isOn() && state === 'ready' && (current?.isEmulator === true || endsRequests(vscode.version));
    return isUsable ? current : undefined;
  }

  private async modelsOf(connection: Connection): Promise<readonly Model[]> {
    const access = this.deps.connections.access ?? '';
    if (this.listed?.access !== access) {
      this.listed = { access, models: this.ask(connection) };
    }
    const { models } = this.listed;
    try {
      return await models;
    } catch (error) {
      this.deps.log.warn(`The models of ${toLabel(connection.name, 60)} could not be listed for chats: ${describeError(error)}`);
      this.listed = this.listed?.models === models ? undefined : this.listed;
      // Without the service, only the models that have a price are known.
      return [...readEstimateSettings().prices.keys()].map(id => ({ id }));
    }
  }

  private async ask(connection: Connection): Promise<readonly Model[]> {
    const { signal } = this.lifetime;
    const { client } = await reach(this.deps.connections, connection, 'look');
    const models: Model[] = [];
    const onCut = (error: Error) => this.deps.log.warn(`Not all models of ${toLabel(connection.name, 60)} are known: ${error.message}`);
    for await (const model of listAll(options => client.models.list({ ...options, signal }), { limit: 100, onCut })) {
      models.push(model);
      if (models.length >= mostModels) {
        break;
      }
    }
    return models;
  }

  /** The service of a model, when it may be asked now and costs are agreed to. */
  private async reach(model: OfferedModel, signal: AbortSignal): Promise<Reached> {
    const asked = this.connectionOf(model);
    if (!asked.isEmulator && !(await orAborted(this.consents.demand(asked), signal))) {
      throw vscode.LanguageModelError.NoPermissions(
        vscode.l10n.t(
          'You did not allow requests to the models of the connection "{0}". To be asked again, turn managedAgents.ai.models off and on.',
          toLabel(asked.name, 60),
        ),
      );
    }
    // While the person was asked, much can have changed: what they agreed to is what is sent to.
    const connection = this.connectionOf(model);
    if (connection.isEmulator !== asked.isEmulator || connection.baseUrl !== asked.baseUrl) {
      throw notNow(model);
    }
    signal.throwIfAborted();
    return await reach(this.deps.connections, connection, 'change');
  }

  /** The connection that a model was offered for, when it is still the one whose models are offered. */
  private connectionOf(model: OfferedModel): Connection {
    const connection = this.offered();
    if (connection?.name !== model.connection) {
      throw notNow(model);
    }
    return connection;
  }

  private note({ connection, model }: OfferedModel, { kind, requestId }: ChatEnd, { usage, stopReason }: AnswerSum): void {
    const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : '?');
    const facts = [
      `${count('input_tokens')} input and ${count('output_tokens')} output tokens`,
      ...[stopReason, requestId].filter(fact => fact !== undefined),
    ];
    if (kind !== 'nothingToSend') {
      this.deps.log.info(`A chat was answered by ${toLabel(`${model} of ${connection}`)}: ${facts.map(fact => toLabel(fact)).join(', ')}`);
    }
  }
}

function notNow({ connection }: OfferedModel): Error {
  return vscode.LanguageModelError.NotFound(
    vscode.l10n.t(
      'The models of the connection "{0}" cannot be asked now. Switch to it with "Managed Agents: Switch Connection", and see that managedAgents.ai.models is on.',
      toLabel(connection, 60),
    ),
  );
}

/** Throws, in words, where an answer is not one that can be used. */
function refuseUnlessWhole({ kind }: ChatEnd): void {
  const { t } = vscode.l10n;
  switch (kind) {
    case 'refused':
      throw vscode.LanguageModelError.Blocked(t('The model refused to answer.'));
    case 'cut':
      throw new Error(t('The answer was cut in the middle of a tool call, so the tool was not called.'));
    case 'unreadable':
      throw new Error(t('The model called a tool with an input that cannot be read, so the tool was not called. Ask it to try again.'));
    case 'tooLong':
      throw new Error(t('The answer was cut: it reached the most tokens that one answer has here. Ask the model to go on.'));
    case 'overflowed':
      throw new Error(t('The answer was cut: this chat is as long as the model can take in. Begin a new chat, or leave something out.'));
    case 'nothingToSend':
      throw new Error(t('There is nothing in this chat to send.'));
    case 'whole':
      return;
  }
}

/** Asks whether requests to the models of a connection may cost money. */
async function askToSend({ name, baseUrl }: ConsentedConnection): Promise<boolean> {
  const { t } = vscode.l10n;
  const allow = t('Allow');
  const question = t('Allow chats and other extensions to send requests to the models of the connection "{0}"?', toLabel(name, 60));
  const host = toLabel(URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl, 100);
  const detail = t(
    'What a chat hands to a model goes to {0}, and your account there pays for each request. Turning managedAgents.ai.models off takes this back.',
    host,
  );
  // Whoever types into a chat may press Enter just when the question comes: that must allow nothing.
  return (await askModal(question, { detail }, t("Don't Allow"), allow)) === allow;
}
