import path from 'node:path';
import * as vscode from 'vscode';
import { watchEvents } from '../../../client/events/eventStream';
import { combine } from '../../../common/disposables';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { webviewOptions } from '../../../common/panels/webviewHtml';
import { readEstimateSettings } from '../../../common/estimateSettings';
import type { Lazy } from '../../../common/lazy';
import type { Log } from '../../../common/log';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { hostOf, nameWithHost } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import type { OwnPrices } from '../../../shared/session/facts/requestCosts';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { type Connections, mayUse, reach } from '../../connection';
import type { EmulatorHost } from '../../emulator';
import { createComposerHost } from '../composing/composerHost';
import type { ExportFormat } from '../exporting/exportNames';
import { exportSession } from '../exporting/exportSession';
import { exportShown } from '../exporting/exportShown';
import type { PanelSession } from '../facts/listedSession';
import type { AskSource } from '../live/askSource';
import type { ApprovalRules } from '../rules/approvalRules';
import { PanelRules } from '../rules/panelRules';
import type { ShowOptions } from '../sessionPanels';
import { followPanel } from './followPanel';
import { panelStateSchema } from '../../../shared/session/fromSessionSchema';
import { Conversation } from '../live/conversation';
import { LiveSession } from '../live/liveSession';
import type { PanelSource } from '../live/panelSource';
import { ReplaySession } from '../live/replaySession';
import { SessionAccess } from '../live/sessionAccess';
import { createPanelHandlers } from './panelHandlers';
import { PartOpener } from './parts/partOpener';
import { SessionPanel } from './sessionPanel';
import { viewTypes } from '../viewTypes';

export interface OpenSessionPanelsDependencies {
  readonly context: vscode.ExtensionContext;
  readonly connections: Connections;
  readonly emulator: EmulatorHost;
  readonly log: Log;
  /** Opens parts of transcripts as documents. */
  readonly documents: ReadonlyDocuments;
  readonly rules: Pick<Lazy<ApprovalRules>, 'get'>;
  readonly onSee: (seen: PanelSession) => void;
}

interface OpenPanel {
  readonly reference: SessionReference;
  readonly panel: SessionPanel;
  readonly session: LiveSession;
  /** Source of the session's asks, to answer them from outside the panel. */
  readonly answering: AskSource;
}

/** The open panels: one per session, and one per open file. */
export class OpenSessionPanels implements vscode.Disposable {
  private readonly open = new Map<string, OpenPanel>();
  private readonly files = new Set<SessionPanel>();
  /** The panel whose place another session can take. */
  private preview: OpenPanel | undefined;
  private readonly lifetime = new AbortController();
  private readonly parts: PartOpener;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: OpenSessionPanelsDependencies) {
    const { context, connections, emulator } = deps;
    const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    this.parts = new PartOpener(deps.documents, path.join(folder, 'pictures', String(process.pid)));
    const recheck = () => {
      for (const { session } of this.open.values()) {
        session.recheck();
      }
    };
    this.subscriptions = combine(
      connections.onDidChange(recheck),
      emulator.onDidChange(recheck),
      onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency'], () => this.redraw()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        recheck();
        this.redraw();
      }),
    );
  }

  get active(): SessionReference | undefined {
    return [...this.open.values()].find(({ panel }) => panel.panel.active)?.reference;
  }

  get opened(): readonly SessionReference[] {
    return [...this.open.values()].map(({ reference }) => reference);
  }

  /** Returns the source of an open panel's asks, if the panel is up to date. */
  answering(reference: SessionReference): AskSource | undefined {
    const opened = this.open.get(keyOf(reference));
    return opened?.session.isUpToDate === true ? opened.answering : undefined;
  }

  get seen(): readonly PanelSession[] {
    return [...this.open.values()].flatMap(({ reference, session }) => (session.isUpToDate ? [{ ...reference, view: session.view }] : []));
  }

  /** Shows the panel of a session. Creates it if needed. */
  async show(reference: SessionReference, options: ShowOptions): Promise<void> {
    await this.deps.connections.whenKnown;
    let shown = this.open.get(keyOf(reference));
    if (options.given !== undefined) {
      // A panel gets its first text with its page.
      shown?.panel.dispose();
      shown = undefined;
    }
    const { preview } = options;
    if (shown === undefined) {
      const replaced = options.replaces ?? (preview && this.preview?.panel.panel);
      const { Active, Beside } = vscode.ViewColumn;
      const column = options.isBeside === true ? Beside : (replaced?.viewColumn ?? Active);
      const webviewPanel = vscode.window.createWebviewPanel(viewTypes.session, toLabel(reference.sessionId, 60), column, {
        ...webviewOptions(this.deps.context.extensionUri),
        retainContextWhenHidden: false,
        enableFindWidget: false,
      });
      shown = this.create(reference, webviewPanel, options.given);
      if (preview !== undefined) {
        this.setPreview(shown);
      }
      replaced?.dispose();
    } else {
      if (preview === undefined || (preview === 'click' && shown.panel.panel.visible)) {
        this.keep(shown);
      }
      shown.panel.panel.reveal();
      options.replaces?.dispose();
    }
    shown.panel.reveal(options);
    shown.session.start();
    // Opening a session is a request of the user to read it, even if nothing is read automatically.
    await shown.session.retryNow();
  }

  refresh(reference: SessionReference): void {
    this.open.get(keyOf(reference))?.session.readSoon();
  }

  setProblem(reference: SessionReference, problem: SessionView['problem']): void {
    this.open.get(keyOf(reference))?.session.setProblem(problem);
  }

  /** Restores a panel after a reload of the window. */
  async restore(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { connection, session: sessionId } = panelStateSchema.catch({}).parse(state);
    if (connection === undefined || sessionId === undefined || this.open.has(keyOf({ connection, sessionId }))) {
      webviewPanel.dispose();
      return;
    }
    const restored = this.create({ connection, sessionId }, webviewPanel);
    if (this.deps.context.workspaceState.get(previewKey) === keyOf(restored.reference)) {
      this.setPreview(restored);
    }
    await this.deps.connections.whenKnown;
    restored.session.start();
  }

  private setPreview(preview: OpenPanel | undefined): void {
    this.preview = preview;
    preview?.panel.showPreview(true);
    // If it can't be written, a panel is kept after a reload.
    this.deps.context.workspaceState.update(previewKey, preview && keyOf(preview.reference)).then(undefined, () => undefined);
  }

  /** Keeps the panel, if it is the preview. */
  private keep(panel: OpenPanel): void {
    if (panel === this.preview) {
      this.setPreview(undefined);
      panel.panel.showPreview(false);
    }
  }

  /** Shows an exported session in the editor that VS Code created for its file. */
  async showFile(file: vscode.Uri, webviewPanel: vscode.WebviewPanel): Promise<void> {
    const source = new ReplaySession(file, vscode.l10n.t);
    const panel = this.createPanel(
      source,
      webviewPanel,
      {},
      createPanelHandlers({
        source,
        parts: this.parts,
        exportShown: request => exportShown(source, request),
        retry: () => source.read(),
        signal: source.signal,
      }),
    );
    this.files.add(panel);
    panel.onDidDispose(() => this.files.delete(panel));
    await source.read();
  }

  dispose(): void {
    this.lifetime.abort();
    this.subscriptions.dispose();
    for (const { panel } of this.open.values()) {
      panel.dispose();
    }
    for (const panel of this.files) {
      panel.dispose();
    }
    void this.parts.dispose().catch(() => undefined);
  }

  private create(reference: SessionReference, webviewPanel: vscode.WebviewPanel, given?: string): OpenPanel {
    const { connections, emulator, log } = this.deps;
    const { t } = vscode.l10n;
    const lifetime = new AbortController();
    const access = new SessionAccess({
      reference,
      connections,
      reach: async connection => (await reach(connections, connection, 'read')).client,
      emulator,
      isTrusted: () => mayUse('change'),
      t,
    });
    const session = new LiveSession({
      reference,
      name: () => this.describe(reference),
      access,
      watch: watchEvents,
      previews: () => (readSetting('managedAgents.sessions.previews') ? ['agent.message', 'agent.thinking'] : undefined),
      canWrite: () => mayUse('change'),
      byRule: () => rules.names,
      t,
      warn: message => log.warn(message),
    });
    const rules = new PanelRules(session, this.deps.rules, message => log.warn(message));
    const actions = new Conversation({
      session,
      sessions: () => access.write(),
      t,
      lifetime: this.lifetime.signal,
      answers: rules,
      warn: message => log.warn(message),
    });
    const composer = createComposerHost(connections, reference, actions, this.deps.context.workspaceState, this.lifetime.signal);
    const handlers = createPanelHandlers({
      source: session,
      parts: this.parts,
      exportShown: request => {
        const exportWhole = (format: ExportFormat) => exportSession({ connections }, reference, format);
        // If the service no longer has the session, the panel's content is exported.
        return exportShown(session, request, session.connection.name === 'ended' ? undefined : exportWhole);
      },
      retry: () => session.retryNow(),
      signal: lifetime.signal,
      live: { session, actions, composer },
    });
    const state = { connection: reference.connection, session: reference.sessionId, ...(given !== undefined && { given }) };
    const panel = this.createPanel(session, webviewPanel, state, handlers, () => this.keep(opened));
    const opened: OpenPanel = { reference, panel, session, answering: { session, actions } };
    this.open.set(keyOf(reference), opened);
    const follow = followPanel(opened, this.deps.onSee);
    panel.onDidDispose(() => {
      lifetime.abort();
      actions.close();
      composer.dispose();
      rules.dispose();
      follow.dispose();
      if (this.open.get(keyOf(reference)) === opened) {
        this.open.delete(keyOf(reference));
      }
      // A preview that closes with the window is restored.
      if (this.preview === opened && !this.lifetime.signal.aborted) {
        this.setPreview(undefined);
      }
    });
    return opened;
  }

  private createPanel(
    source: PanelSource,
    webviewPanel: vscode.WebviewPanel,
    state: object,
    handlers: ReturnType<typeof createPanelHandlers>,
    onUse: () => void = () => undefined,
  ): SessionPanel {
    return new SessionPanel({
      panel: webviewPanel,
      extension: this.deps.context.extensionUri,
      source,
      handlers,
      state,
      prices: ownPrices,
      onUse,
      log: this.deps.log,
    });
  }

  private redraw(): void {
    for (const panel of [...[...this.open.values()].map(({ panel: shown }) => shown), ...this.files]) {
      panel.redraw();
    }
  }

  private describe({ connection: name }: SessionReference): string {
    return nameWithHost({ name, host: hostOf(this.deps.connections.find(name) ?? { baseUrl: '' }) });
  }
}

const previewKey = 'managedAgents.sessionPreview';

/** Returns the current prices from the settings. */
function ownPrices(): OwnPrices {
  const { currency, prices } = readEstimateSettings();
  return { currency, models: [...prices] };
}

function keyOf({ connection, sessionId }: SessionReference): string {
  return JSON.stringify([connection, sessionId]);
}
