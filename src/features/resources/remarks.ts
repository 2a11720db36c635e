import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import { join } from '../../common/text/presentation';
import type { Reference } from '../../contributions';

/** Something that the user should know of a thing and that the service does not say: a row below it. */
export interface Remark extends RowPresentation {
  /** Tells it from the others of the same thing. */
  readonly id: string;
  readonly tooltip: string;
}

/** What there is to know of things. */
export interface Remarks {
  /** Of one thing, and all of it in a few words; undefined where there is nothing. */
  of(reference: Reference, context: PresentationContext): { readonly words: string; readonly remarks: readonly Remark[] } | undefined;
}

/** The row of a thing of which there is something to know. */
export function withRemarks(row: RowPresentation, words: string): RowPresentation {
  return {
    ...row,
    description: join(' · ', words, row.description),
    icon: 'warning',
    color: 'list.warningForeground',
    abilities: `${row.abilities} remarked`,
    spoken: join(', ', row.label, words, row.spoken.slice(row.label.length).replace(/^, /, '')),
  };
}
