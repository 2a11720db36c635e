import type { ToComposer } from './composing';
import type { FromStart, StartPart } from './fromStartSchema';

export type { FromStart, StartPart };

/** A part of a new session, with the user's choice. '' means no choice. */
export interface StartChip {
  readonly part: StartPart;
  readonly label: string;
  readonly value: string;
}

/** State of a session that does not exist yet. Each message replaces the previous one. */
export interface StartState {
  readonly type: 'start';
  readonly heading: string;
  readonly source: string;
  readonly notes: readonly string[];
  readonly chips: readonly StartChip[];
  /** Label of the button that Enter presses. */
  readonly button: string;
  readonly isBusy: boolean;
  /** Failure of the last attempt. If the outcome is unknown, `appeared` lists the sessions that may be the new session. */
  readonly failure?: {
    readonly text: string;
    readonly isUnknown: boolean;
    readonly appeared: readonly { readonly id: string; readonly title: string }[];
  };
}

export type ToStart = StartState | ToComposer | { readonly type: 'focus'; readonly target: 'composer' };
