import { createContext } from 'preact';
import type { FromWebview } from '../../shared/session/protocol';

/** What every part of the panel may use. */
export interface PanelContext {
  /** Sends a message to the host. */
  readonly post: (message: FromWebview) => void;
  /** A text of the interface in the user's language; `{0}` and so on stand for the arguments. */
  readonly t: (text: string, ...args: readonly (string | number)[]) => string;
  readonly locale: string;
  /** Says something to a screen reader, once, without moving the focus. */
  readonly announce: (text: string) => void;
}

export const Panel = createContext<PanelContext>({ post: () => {}, t: text => text, locale: 'en', announce: () => {} });
