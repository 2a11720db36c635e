import { createContext } from 'preact';
import type { FromWebview } from '../../shared/session/sessionProtocol';
import type { Translate } from '../../shared/session/translateText';

/** Small texts by name that outlive a reload of the panel: unfinished words, what is folded. */
export interface PanelMemory {
  readonly get: (name: string) => string | undefined;
  /** Undefined forgets it. */
  readonly set: (name: string, value: string | undefined) => void;
}

/** What every part of the panel may use. */
export interface PanelContext {
  /** Sends a message to the host. */
  readonly post: (message: FromWebview) => void;
  readonly t: Translate;
  readonly locale: string;
  /** Says something to a screen reader, once, without moving the focus. */
  readonly announce: (text: string) => void;
  readonly memory: PanelMemory;
}

export const Panel = createContext<PanelContext>({
  post: () => {},
  t: text => text,
  locale: 'en',
  announce: () => {},
  memory: { get: () => undefined, set: () => {} },
});

/** What became of something that was sent, by its `clientId`. */
export type SendResults = ReadonlyMap<string, { readonly ok: boolean; readonly problem?: string }>;

/** Parts that were cut and then loaded whole, by `partId`. */
export type LoadedParts = ReadonlyMap<string, { readonly text: string; readonly isImage?: boolean; readonly problem?: string }>;

/** Name of a part among `LoadedParts`. */
export function partId(thread: string, key: string, path: string): string {
  return JSON.stringify([thread, key, path]);
}
