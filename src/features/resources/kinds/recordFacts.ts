import { describeMoment, type PresentationContext } from '../../../common/text/presentation';
import { describeValue } from '../../../shared/text';
import type { Fact } from '../resourceKind';

/** Common fields of a resource of any kind. The user writes `metadata`, which can be any JSON. */
export interface CommonFields {
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly created_at?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly archived_at?: string | null | undefined;
}

/** Returns the last facts of a resource: its metadata, and when it was created, changed and archived. */
export function recordFacts(record: CommonFields, context: PresentationContext): readonly Fact[] {
  const { translate } = context;
  return [
    ...Object.entries(record.metadata ?? {}).map(([name, value]): Fact => [translate('Metadata: {0}', name), describeValue(value)]),
    [translate('Created'), describeMoment(record.created_at, context)],
    [translate('Updated'), describeMoment(record.updated_at, context)],
    [translate('Archived'), describeMoment(record.archived_at, context)],
  ];
}
