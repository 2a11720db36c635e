import type { Disposable, Event, Uri, WebviewPanel } from 'vscode';
import type { SessionReference } from '../../contributions';
import type { ProgressProblem } from '../../shared/session/facts/progress';
import type { PanelSession } from './facts/listedSession';
import type { AskSource } from './live/conversation';

/** Position to reveal in a session, and the panel to use. */
export interface ShowOptions {
  readonly eventId?: string;
  readonly focus?: 'composer' | 'ask';
  readonly isBeside?: boolean;
  /** Panel to close when the session opens in its place. */
  readonly replaces?: WebviewPanel;
  /** Initial text of the message field in a new panel. */
  readonly given?: string;
  /** Reuses the preview panel instead of adding a panel. If that panel already shows the session, a `click` makes it permanent. */
  readonly preview?: 'click' | 'step';
}

/** Panels of sessions, one per session, and of exported files. */
export interface SessionPanels extends Disposable {
  /** Opens or shows the panel of a session. Scrolls to the event `eventId` and marks it. */
  open(reference: SessionReference, options?: ShowOptions): Promise<void>;
  openFile(file: Uri): Promise<void>;
  /** Asks for the format and the target file, and exports the whole log. Works without a panel. */
  exportSession(reference: SessionReference): Promise<void>;
  /** Refreshes a session that was changed outside its panel. Does nothing if no panel shows it. */
  refresh(reference: SessionReference): void;
  setProblem(reference: SessionReference, problem: ProgressProblem | undefined): void;
  /** Session of the panel that has the keyboard focus, for commands from the palette. */
  readonly active: SessionReference | undefined;
  readonly opened: readonly SessionReference[];
  /** Sessions of the open panels that are in sync with the service. */
  readonly upToDate: readonly PanelSession[];
  /** Returns the ask source of a session's open panel, always the same object. `undefined` if no panel is in sync. */
  answering(reference: SessionReference): AskSource | undefined;
  /** Fires when the content or sync state of an open panel changed. */
  readonly onDidChange: Event<PanelSession>;
}
