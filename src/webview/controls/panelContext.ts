import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { FromWebview } from '../../shared/session/sessionProtocol';
import type { FromStart } from '../../shared/session/startProtocol';
import type { Translate } from '../../shared/session/translateText';

/** Small named texts that survive a reload of the panel: drafts, folded sections. */
export interface PanelMemory {
  readonly get: (name: string) => string | undefined;
  /** Sets a text. `undefined` deletes the text. */
  readonly set: (name: string, value: string | undefined) => void;
}

/** Data and actions shared by all parts of the panel. */
export interface PanelContext {
  readonly post: (message: FromWebview | FromStart) => void;
  readonly t: Translate;
  readonly locale: string;
  /** Announces a text to a screen reader, once, without moving the focus. */
  readonly announce: (text: string) => void;
  readonly memory: PanelMemory;
}

type ControlMessage = Extract<FromWebview, { readonly type: 'openLink' | 'copyText' }>;

/** Returns a `post` for controls in a panel whose host accepts only control messages. */
export function toControlPost(post: (message: ControlMessage) => void): PanelContext['post'] {
  return message => {
    if (message.type === 'openLink' || message.type === 'copyText') {
      post(message);
    }
  };
}

/** Preact context of the panel. `startPanel` provides it. */
export const Panel = createContext({} as PanelContext);

/** Results of sends, by `clientId`. */
export type SendResults = ReadonlyMap<string, { readonly ok: boolean; readonly problem?: string }>;
export const Sends = createContext<SendResults>(new Map());

/** Cut parts that were loaded completely, by `partId`. The arguments of an ask have its event id as key and `ask` as path. */
export type LoadedParts = ReadonlyMap<string, { readonly text: string; readonly isImage?: boolean; readonly problem?: string }>;
export const Loaded = createContext<LoadedParts>(new Map());

/** Returns the key of a part in `LoadedParts`. */
export function partId(thread: string, key: string, path: string): string {
  return JSON.stringify([thread, key, path]);
}

/** Maximum length of a saved text, in characters, because the editor receives the whole state at every change. */
const longest = 262_144;

/** Returns a named text that survives a reload of the panel, and its setter. '' is not saved. */
export function useRemembered(name: string, initially = ''): [string, (value: string) => void] {
  const { memory } = useContext(Panel);
  const [held, hold] = useState({ name, value: memory.get(name) ?? initially });
  const current = held.name === name ? held : { name, value: memory.get(name) ?? initially };
  return [
    current.value,
    value => {
      hold({ name, value });
      memory.set(name, value === initially || value.length > longest ? undefined : value);
    },
  ];
}

/** Returns a named flag that survives a reload of the panel, and its setter. */
export function useRememberedFlag(name: string, initially: boolean): [boolean, (value: boolean) => void] {
  const [value, set] = useRemembered(name, initially ? 'yes' : 'no');
  return [value === 'yes', isOn => set(isOn ? 'yes' : 'no')];
}
