import path from 'node:path';
import * as vscode from 'vscode';
import { watchEvents } from '../../../client/events/eventStream';
import { combine } from '../../../common/disposables';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { Lazy } from '../../../common/lazy';
import { Throttle } from '../../../common/lists/throttle';
import { OpenPanels } from '../../../common/panels/openPanels';
import { onDidChangeSettings, readSetting } from '../../../common/settings';
import { hostOf, nameWithHost } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { panelStateSchema } from '../../../shared/session/fromSessionSchema';
import type { OwnPrices } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import { mayUse, reach } from '../../connection';
import { createComposerHost } from '../composing/composerHost';
import { type ExportFormat, exportSession, exportShown } from '../exporting/exportFile';
import { type PanelSession, sessionKey } from '../facts/listedSession';
import { type AskSource, Conversation } from '../live/conversation';
import { LiveSession } from '../live/liveSession';
import { ReplaySession } from '../live/replaySession';
import { SessionAccess } from '../live/sessionAccess';
import type { ApprovalRules } from '../rules/approvalRules';
import type { ShowOptions } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import { createPanelHandlers } from './panelHandlers';
import { PartOpener } from './parts/partOpener';
import { SessionPanel, type SessionPanelOptions } from './sessionPanel';

interface OpenSessionPanelsDependencies extends Omit<SessionsDependencies, 'commands'> {
  readonly documents: ReadonlyDocuments;
  readonly rules: Pick<Lazy<ApprovalRules>, 'get' | 'current'>;
  readonly onChange: (session: PanelSession) => void;
}

interface OpenPanel extends AskSource {
  readonly reference: SessionReference;
  readonly panel: vscode.WebviewPanel;
  readonly page: SessionPanel;
  readonly session: LiveSession;
}

/** The open panels: one per session, and one per open file. */
export class OpenSessionPanels implements vscode.Disposable {
  private readonly open = new OpenPanels<OpenPanel>();
  private readonly files = new Set<SessionPanel>();
  /** Panel that another session can replace. */
  private preview: OpenPanel | undefined;
  private readonly lifetime = new AbortController();
  private readonly parts: PartOpener;
  /** Listener to decisions by rules, which the rows of the panels show. */
  private readonly decisions: Lazy<vscode.Disposable>;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly deps: OpenSessionPanelsDependencies) {
    const { context, connections, emulator } = deps;
    const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    this.parts = new PartOpener(deps.documents, path.join(folder, 'pictures', String(process.pid)));
    const recheck = () => {
      for (const { session } of this.open.all) {
        session.recheck();
      }
    };
    this.decisions = new Lazy(async () => {
      const viewsChanged = () => {
        for (const { session } of this.open.all) {
          session.viewChanged();
        }
      };
      const { decisions } = await deps.rules.get();
      viewsChanged();
      return decisions.onDidChange(viewsChanged);
    });
    this.loadRules();
    this.subscriptions = combine(
      this.decisions,
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
    return this.open.all.find(({ panel }) => panel.active)?.reference;
  }

  get opened(): readonly SessionReference[] {
    return this.open.all.map(({ reference }) => reference);
  }

  /** Returns the source of an open panel's asks, if the panel is up to date. */
  answering(reference: SessionReference): AskSource | undefined {
    const opened = this.open.find(sessionKey(reference));
    return opened?.session.isUpToDate === true ? opened : undefined;
  }

  get upToDate(): readonly PanelSession[] {
    return this.open.all.flatMap(({ reference, session }) => (session.isUpToDate ? [{ ...reference, view: session.view }] : []));
  }

  async show(reference: SessionReference, options: ShowOptions): Promise<void> {
    this.loadRules();
    await this.deps.connections.whenKnown;
    const key = sessionKey(reference);
    const { preview, replaces, given } = options;
    if (given !== undefined) {
      // The initial text is loaded with the page, so an open panel is replaced.
      this.open.find(key)?.panel.dispose();
    }
    const known = this.open.find(key);
    const replaced = replaces ?? (known === undefined && preview !== undefined ? this.preview?.panel : undefined);
    const column = options.isBeside === true ? vscode.ViewColumn.Beside : replaced?.viewColumn;
    if (known !== undefined && (preview === undefined || (preview === 'click' && known.panel.visible))) {
      this.keep(known);
    }
    const shown = this.open.show(key, () => this.create(reference, { column }, given));
    if (known === undefined && preview !== undefined) {
      this.setPreview(shown);
    }
    replaced?.dispose();
    shown.page.reveal(options);
    shown.session.start();
    // Opening a session counts as a request to read it, even in an untrusted workspace.
    await shown.session.retryNow();
  }

  refresh(reference: SessionReference): void {
    this.open.find(sessionKey(reference))?.session.readSoon();
  }

  setProblem(reference: SessionReference, problem: SessionView['problem']): void {
    this.open.find(sessionKey(reference))?.session.setProblem(problem);
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.loadRules();
    const { connection = '', session: sessionId = '' } = panelStateSchema.catch({}).parse(state);
    const key = connection === '' || sessionId === '' ? '' : sessionKey({ connection, sessionId });
    const restored = this.open.restore(key, panel, () => this.create({ connection, sessionId }, { panel }));
    if (restored !== undefined && this.deps.context.workspaceState.get(previewKey) === key) {
      this.setPreview(restored);
    }
    await this.deps.connections.whenKnown;
    restored?.session.start();
  }

  /** Loads the rules, again if they could not be loaded before. */
  private loadRules(): void {
    this.decisions.get().catch(error => this.deps.log.warn(`The rules of this machine could not be loaded: ${String(error)}`));
  }

  private setPreview(preview: OpenPanel | undefined): void {
    this.preview = preview;
    preview?.page.showPreview(true);
    // If this can't be written, the panel is permanent after a reload.
    this.deps.context.workspaceState.update(previewKey, preview && sessionKey(preview.reference)).then(undefined, () => undefined);
  }

  private keep(panel: OpenPanel): void {
    if (panel === this.preview) {
      this.setPreview(undefined);
      panel.page.showPreview(false);
    }
  }

  async showFile(file: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
    const source = new ReplaySession(file, vscode.l10n.t);
    const retry = () => source.read();
    const handlers = createPanelHandlers({
      ...{ source, parts: this.parts, retry, signal: source.signal },
      exportShown: request => exportShown(source, request),
    });
    const page: SessionPanel = new SessionPanel({
      ...{ panel, title: panel.title, source, handlers, state: {}, ...this.common },
      onUse: () => undefined,
      onVisibility: () => undefined,
      onDispose: () => this.files.delete(page),
    });
    this.files.add(page);
    await source.read();
  }

  dispose(): void {
    this.lifetime.abort();
    this.subscriptions.dispose();
    this.open.dispose();
    for (const { panel } of this.files) {
      panel.dispose();
    }
    void this.parts.dispose().catch(() => undefined);
  }

  private create(reference: SessionReference, position: Pick<SessionPanelOptions, 'panel' | 'column'>, given?: string): OpenPanel {
    const { connections, emulator, log, rules } = this.deps;
    const { t } = vscode.l10n;
    const lifetime = new AbortController();
    const access = new SessionAccess({
      ...{ reference, connections, emulator, t },
      reach: async connection => (await reach(connections, connection, 'read')).client,
      isTrusted: () => mayUse('change'),
    });
    const warn = (message: string) => log.warn(message);
    const session = new LiveSession({
      ...{ reference, access, watch: watchEvents, t, warn },
      name: () => nameWithHost({ name: reference.connection, host: hostOf(connections.find(reference.connection) ?? { baseUrl: '' }) }),
      previews: () => (readSetting('managedAgents.sessions.previews') ? ['agent.message', 'agent.thinking'] : undefined),
      canWrite: () => mayUse('change'),
      byRule: () => rules.current?.decisions.namesIn(reference),
    });
    const actions = new Conversation({
      ...{ session, t, lifetime: this.lifetime.signal, warn },
      claim: async eventId => await rules.current?.answering(reference, eventId),
      sessions: () => access.write(),
    });
    const composer = createComposerHost(connections, reference, actions, this.deps.context.workspaceState, this.lifetime.signal);
    const handlers = createPanelHandlers({
      ...{ source: session, parts: this.parts, signal: lifetime.signal, live: { session, actions, composer } },
      exportShown: request => {
        const exportWhole = (format: ExportFormat) => exportSession({ connections }, reference, format);
        // If the service no longer has the session, the panel's content is exported.
        return exportShown(session, request, session.connection.name === 'ended' ? undefined : exportWhole);
      },
      retry: () => session.retryNow(),
    });
    const state = { connection: reference.connection, session: reference.sessionId, ...(given !== undefined && { given }) };
    const page = new SessionPanel({
      ...{ ...position, title: toLabel(reference.sessionId, 60), source: session, handlers, state, ...this.common },
      onUse: () => this.keep(opened),
      onVisibility: isVisible => session.setVisible(isVisible),
      onDispose: () => {
        lifetime.abort();
        actions.close();
        composer.dispose();
        follow.dispose();
        // A preview that closes with the window stays saved, to be restored.
        if (this.preview === opened && !this.lifetime.signal.aborted) {
          this.setPreview(undefined);
        }
      },
    });
    const opened: OpenPanel = { reference, panel: page.panel, page, session, actions };
    const follow = followPanel(opened, this.deps.onChange);
    return opened;
  }

  private get common(): Pick<SessionPanelOptions, 'extension' | 'prices' | 'log'> {
    return { extension: this.deps.context.extensionUri, prices: ownPrices, log: this.deps.log };
  }

  private redraw(): void {
    for (const page of [...this.open.all.map(opened => opened.page), ...this.files]) {
      page.redraw();
    }
  }
}

const previewKey = 'managedAgents.sessionPreview';

function ownPrices(): OwnPrices {
  const { currency, prices } = readEstimateSettings();
  return { currency, models: [...prices] };
}

interface FollowedPanel {
  readonly reference: SessionReference;
  readonly page: Pick<SessionPanel, 'showView'>;
  readonly session: Pick<LiveSession, 'view' | 'transcript' | 'isUpToDate' | 'onDidChange'>;
}

/** Minimum time between two updates of a tab and of listeners, in milliseconds. */
const settle = 100;

/** Keeps the tab of a panel up to date, and reports its state to `onChange`. */
export function followPanel({ reference, page, session }: FollowedPanel, onChange: (session: PanelSession) => void): vscode.Disposable {
  let reported = session.view;
  let wasUpToDate = false;
  const report = () => {
    const { view, isUpToDate } = session;
    reported = view;
    wasUpToDate = isUpToDate;
    onChange({ ...reference, view, transcript: session.transcript('') });
  };
  const update = new Throttle(() => {
    if (session.view !== reported) {
      page.showView(session.view);
    }
    if (session.view !== reported || session.isUpToDate !== wasUpToDate) {
      report();
    }
  }, settle);
  return combine(
    session.onDidChange(({ type }) => {
      if (type === 'view' || type === 'connection') {
        update.ask();
      }
    }),
    update,
    // Reports the end of a closed panel's session, so that the inbox reads the session itself.
    { dispose: report },
  );
}
