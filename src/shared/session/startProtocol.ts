import type { FromComposer, ToComposer } from './composing';
import type { Translations } from './translateText';

/** Parts of a new session that the user can choose. `more` lists those without a chip, and `another` allows a second session. */
export const startParts = [
  ...(['agent', 'version', 'overrides', 'environment', 'title', 'files', 'folder'] as const),
  ...(['repositories', 'memoryStores', 'vaults', 'budget', 'more', 'another'] as const),
] as const;
export type StartPart = (typeof startParts)[number];

/** A part of a new session, and what was chosen for it; '' for nothing. */
export interface StartChip {
  readonly part: StartPart;
  readonly label: string;
  readonly value: string;
}

/** State of a session that does not exist yet. Each message replaces the previous one. */
export interface StartState {
  readonly type: 'start';
  readonly locale: string;
  readonly translations: Translations;
  readonly heading: string;
  /** Name and host of the connection. */
  readonly source: string;
  readonly notes: readonly string[];
  readonly chips: readonly StartChip[];
  /** Label of the button that Enter stands for. */
  readonly button: string;
  readonly isBusy: boolean;
  /** Failure of the last attempt. If the outcome is unknown, `appeared` has the sessions that may be the started one. */
  readonly failure?: {
    readonly text: string;
    readonly isUnknown: boolean;
    readonly appeared: readonly { readonly id: string; readonly title: string }[];
  };
}

/** Host to the panel of a new session. */
export type ToStart = StartState | ToComposer | { readonly type: 'focus'; readonly target: 'composer' };

/** Panel of a new session to host; `fromStartSchema` parses it. */
export type FromStart =
  | FromComposer
  | { readonly type: 'ready' }
  /** Opens the picker of a part. */
  | { readonly type: 'choose'; readonly part: StartPart }
  | { readonly type: 'start'; readonly text: string }
  /** Opens a session that appeared after an unknown outcome. `text` becomes the draft of its message. */
  | { readonly type: 'openStarted'; readonly id: string; readonly text: string };
