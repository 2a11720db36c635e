import type { Disposable, Event, Uri, WebviewPanel } from 'vscode';
import type { SessionReference } from '../../contributions';
import type { ProgressProblem } from '../../shared/session/facts/progress';
import type { PanelSession } from './facts/listedSession';
import type { AskSource } from './live/conversation';

/** Position in a session, and the column of a new panel. */
export interface ShowOptions {
  readonly eventId?: string;
  readonly focus?: 'composer' | 'ask';
  readonly isBeside?: boolean;
  /** Panel whose place the session takes. It is closed. */
  readonly replaces?: WebviewPanel;
  /** Text that the message field of a new panel has at first. */
  readonly given?: string;
  /** Reuses the preview panel instead of adding a panel. A `click` on the session that the preview panel shows in front keeps it. */
  readonly preview?: 'click' | 'step';
}

/** The panels that show sessions, one per session, and files of exported ones. */
export interface SessionPanels extends Disposable {
  /** Opens or shows the panel of a session; `eventId` is scrolled to and marked. */
  open(reference: SessionReference, options?: ShowOptions): Promise<void>;
  openFile(file: Uri): Promise<void>;
  /** Asks for format and place, reads the whole log, and writes it. Works without a panel. */
  exportSession(reference: SessionReference): Promise<void>;
  /** Refreshes a session that was changed outside its panel. Does nothing if no panel shows it. */
  refresh(reference: SessionReference): void;
  setProblem(reference: SessionReference, problem: ProgressProblem | undefined): void;
  /** The session of the panel that has the keyboard, for commands from the palette. */
  readonly active: SessionReference | undefined;
  readonly opened: readonly SessionReference[];
  /** Open panels that are up to date with the service, by the session that they show. */
  readonly upToDate: readonly PanelSession[];
  /** The session of an open panel with the way to answer it, while it is up to date; the same for as long as it is. */
  answering(reference: SessionReference): AskSource | undefined;
  /** Fires when the content of an open panel changed, or whether it is up to date. */
  readonly onDidChange: Event<PanelSession>;
}
