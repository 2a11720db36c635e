import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import { join } from '../../common/text/presentation';
import type { Reference } from '../../contributions';

/** Information about a resource that the service does not provide, as a row below it. */
export interface Remark extends RowPresentation {
  /** Unique among the remarks on the same resource. */
  readonly id: string;
  readonly tooltip: string;
}

/** Source of remarks on resources. */
export interface Remarks {
  /** Returns the remarks on a resource, and a short summary of them. `undefined` if there are none. */
  of(reference: Reference, context: PresentationContext): { readonly words: string; readonly remarks: readonly Remark[] } | undefined;
}

/** Returns the row of a resource that has remarks. */
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
