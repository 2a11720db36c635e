import * as vscode from 'vscode';
import { PanelHost, type PanelHostOptions } from '../../../common/panels/panelHost';
import { type FromComposer, fromWebviewSchema } from '../../../shared/session/fromSessionSchema';
import type { Row } from '../../../shared/session/rows/rows';
import type { FromWebview, OwnPrices, ToWebview } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { toLabel } from '../../../shared/text';
import type { PanelSource, SourceChange } from '../live/panelSource';
import { viewTypes } from '../viewTypes';
import { PanelPump } from './panelPump';

type Handlers<Types extends FromWebview['type']> = {
  readonly [T in Types]: (message: Extract<FromWebview, { readonly type: T }>, panel: SessionPanel) => unknown;
};

/** Handlers for the messages of a panel, except messages that the panel handles itself. An exported session has no composer. */
export type PanelHandlers = Handlers<Exclude<FromWebview['type'], 'ready' | 'openThread' | 'viewAt' | 'keep' | FromComposer['type']>> &
  Partial<Handlers<FromComposer['type']>>;

export interface SessionPanelOptions
  extends Pick<PanelHostOptions<FromWebview, ToWebview>, 'panel' | 'column' | 'title' | 'extension' | 'log'> {
  readonly source: PanelSource;
  readonly handlers: PanelHandlers;
  readonly state: object;
  readonly prices: () => OwnPrices;
  /** Called when the user typed something or acted on the session. */
  readonly onUse: () => void;
  /** Called when the panel's visibility or focus may have changed. */
  readonly onVisibility: (isVisible: boolean) => void;
  /** Called when the panel was closed. The source still has its last state, but is no longer up to date. */
  readonly onDispose: () => void;
}

/** One panel: keeps the webview in sync with its source while visible, and forwards user actions. Disposes the source. */
export class SessionPanel {
  private readonly source: PanelSource;
  private readonly host: PanelHost<FromWebview, ToWebview>;
  private readonly pump: PanelPump;
  private readonly changes: vscode.Disposable;
  /** Reveal that waits until its event was read and the page can show it. */
  private awaited: Reveal | undefined;
  private shownIcon = '';
  private isPreview = false;

  constructor(private readonly options: SessionPanelOptions) {
    this.source = options.source;
    const { panel, column, title, source, extension, log, state } = options;
    this.pump = new PanelPump({ source, prices: options.prices, post: message => this.host.post(message) });
    this.host = new PanelHost<FromWebview, ToWebview>({
      ...{ panel, column, title, extension, log, state, viewType: viewTypes.session, bundle: 'session', schema: fromWebviewSchema },
      onReady: () => this.restart(),
      onMessage: message => this.handle(message),
      deliver: message => this.pump.afterRows('', message),
      onVisibility: isVisible => {
        if (!isVisible) {
          this.pump.pause();
        }
        options.onVisibility(isVisible);
      },
      onDispose: () => this.end(),
    });
    this.changes = source.onDidChange(change => this.changed(change));
    this.showView(source.view);
  }

  reveal(reveal: Reveal): void {
    this.awaited = reveal.eventId === undefined && reveal.focus === undefined ? undefined : reveal;
    this.revealAwaited();
  }

  /** Sends a message that is not a change of the source. The message waits until the webview is loaded. */
  async send(message: ToWebview): Promise<void> {
    await this.host.send(message);
  }

  get panel(): vscode.WebviewPanel {
    return this.host.panel;
  }

  private end(): void {
    this.pump.pause();
    this.changes.dispose();
    this.source.dispose();
    this.options.onDispose();
  }

  redraw(): void {
    this.pump.redraw();
  }

  private async handle(message: Exclude<FromWebview, { readonly type: 'ready' }>): Promise<void> {
    if (message.type === 'keep' || message.type === 'interrupt' || 'clientId' in message) {
      this.options.onUse();
    }
    switch (message.type) {
      case 'keep':
        return;
      case 'openThread':
        return this.openThread(message.thread);
      case 'viewAt':
        return this.source.showAt?.(message.thread, message.seq);
      default:
        // The handler of `message.type` accepts exactly this type of message.
        await (this.options.handlers[message.type] as ((message: FromWebview, panel: SessionPanel) => unknown) | undefined)?.(
          message,
          this,
        );
    }
  }

  private restart(): void {
    this.pump.pause();
    this.pump.resume();
    this.source.showAt?.('', Number.MAX_SAFE_INTEGER);
    this.pump.show('');
    this.revealAwaited();
  }

  private openThread(thread: string): void {
    this.source.openThread(thread);
    this.pump.show(thread);
  }

  private changed(change: SourceChange): void {
    if (change.type === 'rows') {
      this.pump.rowsChanged(change.thread);
    } else {
      this.pump.header(change.type);
    }
    this.revealAwaited();
  }

  private revealAwaited(): void {
    const messages = this.host.isReady && this.awaited !== undefined ? revealMessages(this.source, this.awaited) : undefined;
    if (messages !== undefined) {
      this.awaited = undefined;
      for (const message of messages) {
        this.pump.afterRows('', message);
      }
    }
  }

  showPreview(isPreview: boolean): void {
    this.isPreview = isPreview;
    this.showView(this.source.view);
  }

  showView(view: SessionView): void {
    const { source } = this;
    if (!source.isReplay) {
      const name = toLabel(view.title || view.firstWords || view.id, 60);
      this.host.setTitle(this.isPreview ? vscode.l10n.t('{0} (preview)', name) : name);
    }
    const icon = source.isReplay ? 'file' : tabIconOf(view);
    if (icon !== this.shownIcon) {
      this.shownIcon = icon;
      this.host.setIcon(icon);
    }
  }
}

interface Reveal {
  /** Event to scroll to. Missing if only the focus moves. */
  readonly eventId?: string;
  readonly focus?: 'composer' | 'ask';
}

/**
 * Returns the messages that scroll and focus, for a page that has its rows. Returns `undefined` until the event is read. Returns no
 * messages if everything was read and the event does not exist.
 */
export function revealMessages(
  source: Pick<PanelSource, 'transcript' | 'view' | 'connection'>,
  { eventId, focus }: Reveal,
): readonly ToWebview[] | undefined {
  const { asks } = source.view;
  const isRead = isAllRead(source);
  // Without an event ID, reveals the first ask. The first ask is only known once everything was read.
  const ask = eventId === undefined ? (isRead ? asks[0] : undefined) : asks.find(one => one.eventId === eventId);
  const row = eventId === undefined ? undefined : keyOfEvent(source.transcript('')?.rows ?? [], eventId);
  const key = focus === 'composer' && eventId === undefined ? undefined : (row ?? (ask?.rowKey || undefined));
  if ((focus === 'ask' && ask === undefined && !isRead) || (focus === 'composer' && eventId !== undefined && key === undefined)) {
    return isRead ? [] : undefined;
  }
  const focusing: readonly ToWebview[] =
    focus === 'composer'
      ? [{ type: 'focus', target: 'composer' }]
      : focus === 'ask' && ask !== undefined
        ? [{ type: 'focus', target: 'ask', eventId: ask.eventId }]
        : [];
  const leavesKeyboard = focusing.length > 0 ? { leavesKeyboard: true } : {};
  const messages = [...(key === undefined ? [] : [{ type: 'reveal', thread: '', key, ...leavesKeyboard } as const]), ...focusing];
  return messages.length > 0 || isRead ? messages : undefined;
}

/** Returns whether everything was read. An event that is still missing afterwards does not exist. */
function isAllRead({ connection: { name } }: Pick<PanelSource, 'connection'>): boolean {
  return name === 'live' || name === 'polling' || name === 'offlineFile';
}

function keyOfEvent(rows: readonly Row[], eventId: string): string | undefined {
  return rows.findLast(row => row.key === eventId || (row.kind === 'tool' && row.alsoKeys?.includes(eventId) === true))?.key;
}

/** Icons of the states, as file names in `media/session` without the theme. */
const tabIcons: Readonly<Record<SessionView['state'], 'waiting' | 'running' | 'done' | 'idle' | 'failed' | 'ended'>> = {
  waiting: 'waiting',
  running: 'running',
  rescheduling: 'running',
  idle: 'idle',
  other: 'idle',
  unknown: 'idle',
  failed: 'failed',
  terminated: 'failed',
  archived: 'ended',
  deleted: 'ended',
};

/** Returns the icon of the tab, consistent with the session's icon in the list. */
export function tabIconOf({ state, rest }: Pick<SessionView, 'state' | 'rest'>): (typeof tabIcons)[SessionView['state']] {
  if (state !== 'idle') {
    return tabIcons[state];
  }
  return rest?.kind === 'asked' ? 'waiting' : rest === undefined || rest.kind === 'done' ? 'done' : 'idle';
}
