/** Maximum length of a message or result that a user writes, in characters. */
export const longestMessage = 1_000_000;

export const maxAttached = 20;

/** A workspace file offered after `@`. Identified by an id from the host, never by its path. */
export interface FoundFile {
  readonly id: string;
  readonly name: string;
  /** Folder in the workspace, '' for the root. */
  readonly folder: string;
}

/** Form in which a file is sent: as text in the message, or uploaded and mounted into the session. */
export type AttachedAs = 'text' | 'upload';

/** A file attached to the message being written. The file has not been sent yet. */
export interface AttachedFile {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly as: AttachedAs;
  readonly notAsText?: string;
  readonly warning?: string;
}

/** Messages of the host to a composer. Each replaces the previous one of its type. */
export type ToComposer =
  | { readonly type: 'filesFound'; readonly query: string; readonly files: readonly FoundFile[]; readonly problem?: string }
  | { readonly type: 'attached'; readonly files: readonly AttachedFile[]; readonly problem?: string }
  | {
      readonly type: 'prompts';
      readonly prompts: readonly { readonly name: string; readonly detail: string }[];
      readonly problem?: string;
    }
  | { readonly type: 'prompt'; readonly name: string; readonly text: string; readonly problem?: string };

export type Composing = { readonly [T in ToComposer['type']]?: Extract<ToComposer, { readonly type: T }> };

/** Returns the placeholders of a prompt with their offsets. A placeholder is a word in double braces, as in request templates. */
export function placeholdersOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/\{\{[^{}\n]{1,60}\}\}/g)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}
