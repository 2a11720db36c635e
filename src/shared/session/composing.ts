/** Files that go with one message. */
export const mostAttached = 20;

/** A file of the workspace that completes what is typed after `@`. The panel knows it by an id of the host, never by its path. */
export interface FoundFile {
  readonly id: string;
  readonly name: string;
  /** Folder in the workspace; '' for its root. */
  readonly folder: string;
}

/** How a file goes with a message: its text in it, or mounted into the session as a file of the service. */
export type AttachedAs = 'text' | 'upload';

/** A file that goes with the message that is being written. Nothing of it has left this machine. */
export interface AttachedFile {
  readonly id: string;
  /** Path in the workspace, for people. */
  readonly path: string;
  readonly bytes: number;
  readonly as: AttachedAs;
  /** Why it cannot go as text, in words. */
  readonly notAsText?: string;
  /** What is to be known before it is sent, in words. */
  readonly warning?: string;
}

/** A prompt of the user's own, as it is offered. */
export interface PromptItem {
  readonly name: string;
  readonly detail: string;
}

/** What the composer of a panel asks its host for. `id` and `name` are those the host gave. */
export type FromComposer =
  /** The composer is there, or there again: it wants to know what is attached. */
  | { readonly type: 'composing' }
  /** Files for what stands after `@`; '' begins anew. */
  | { readonly type: 'findFiles'; readonly query: string }
  /** Attaches a file, or changes how an attached one goes; without `as` the host chooses what fits it. */
  | { readonly type: 'attachFile'; readonly id: string; readonly as?: AttachedAs }
  | { readonly type: 'detachFile'; readonly id: string }
  | { readonly type: 'listPrompts' }
  | { readonly type: 'readPrompt'; readonly name: string };

/** What the host tells a composer; each takes the place of the one before. */
export type ToComposer =
  | { readonly type: 'filesFound'; readonly query: string; readonly files: readonly FoundFile[]; readonly problem?: string }
  | { readonly type: 'attached'; readonly files: readonly AttachedFile[]; readonly problem?: string }
  | { readonly type: 'prompts'; readonly prompts: readonly PromptItem[]; readonly problem?: string }
  | { readonly type: 'prompt'; readonly name: string; readonly text: string; readonly problem?: string };

/** What the host told last, by its kind. */
export type Composing = { readonly [T in ToComposer['type']]?: Extract<ToComposer, { readonly type: T }> };
