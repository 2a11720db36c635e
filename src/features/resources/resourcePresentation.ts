import { describeError } from '../../common/text/describeError';
import { escapeMarkdown, toFactTable } from '../../common/text/escapeMarkdown';
import type { PresentationContext, RowPresentation } from '../../common/text/presentation';
import type { Reference } from '../../contributions';
import { numberFormat } from '../../shared/formats';
import { join } from '../../shared/text';
import type { ResourceList } from './lists/resourceList';
import type { Fact, GroupRow, Resource, ResourceKind } from './resourceKind';

/** Information about a resource that the service does not provide, as a row below it. */
export interface Remark extends RowPresentation {
  /** ID that is unique among the remarks on the same resource. */
  readonly id: string;
  readonly tooltip: string;
}

/** Returns the remarks on a resource, and a short summary of them. `undefined` if there are none. */
export type RemarksOf = (
  reference: Reference,
  context: PresentationContext,
) => { readonly words: string; readonly remarks: readonly Remark[] } | undefined;

/** Returns the row of a resource that has remarks. */
export function withRemarks(row: RowPresentation, words: string): RowPresentation {
  return { ...marked(row, words, 'remarked'), icon: 'warning', color: 'list.warningForeground' };
}

/** Returns the row of a resource that has a draft. */
export function withDraft(row: RowPresentation, { translate }: PresentationContext): RowPresentation {
  return { ...marked(row, translate('draft'), 'hasDraft'), icon: 'edit', color: 'gitDecoration.modifiedResourceForeground' };
}

function marked(row: RowPresentation, words: string, ability: string): RowPresentation {
  return {
    ...row,
    description: join(' · ', words, row.description),
    abilities: `${row.abilities} ${ability}`,
    spoken: join(', ', row.label, words, row.spoken.slice(row.label.length).replace(/^, /, '')),
  };
}

/** Returns the text next to the title of a group. This is the group's summary, or otherwise the number of members. */
export function presentGroup(list: ResourceList, context: PresentationContext): GroupRow {
  const summary = list.summary(context);
  if (summary !== undefined) {
    return summary;
  }
  const { translate, locale } = context;
  const { items, hasMore, isListed, problem } = list.list;
  // A collapsed list is not kept up to date.
  if (!isListed || !list.isUnfolded) {
    return { description: '', spoken: '' };
  }
  const count = numberFormat(locale).format(items.length);
  // If there are no members, a row below gives the reason.
  if (problem !== undefined && items.length > 0) {
    return {
      description: join(' · ', hasMore ? `${count}+` : count, translate('out of date')),
      icon: 'warning',
      color: 'list.warningForeground',
      spoken: translate("{0} at the last refresh. Couldn't refresh: {1}", count, describeError(problem)),
    };
  }
  return hasMore
    ? { description: `${count}+`, spoken: translate('more than {0}', count) }
    : { description: count, spoken: translate('{0} in total', count) };
}

/** Formats a resource as a Markdown page: its facts, followed by every other field. Contains no links. */
export function toPage<T extends Resource>(
  kind: ResourceKind<T>,
  value: T,
  connection: string,
  context: PresentationContext,
  uses = '',
): string {
  const { translate } = context;
  const facts: readonly Fact[] = [...factsOf(kind, value, context), [translate('Used by'), uses], [translate('Connection'), connection]];
  return `# ${escapeMarkdown(kind.name(value))}\n\n${toFactTable(translate('Details'), facts)}`;
}

type DescribedKind<T extends Resource> = Pick<ResourceKind<T>, 'name' | 'facts'>;

/** Returns the hover of a resource as Markdown without links or HTML. */
export function toHover<T extends Resource>(kind: DescribedKind<T>, value: T, connection: string, context: PresentationContext): string {
  const facts: readonly Fact[] = [...factsOf(kind, value, context), [context.translate('Connection'), connection]];
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${escapeMarkdown(name)}: ${escapeMarkdown(value.slice(0, 500))}`);
  return `**${escapeMarkdown(kind.name(value))}**\n\n${lines.join('  \n')}`;
}

function factsOf<T extends Resource>(kind: DescribedKind<T>, value: T, context: PresentationContext): readonly Fact[] {
  return [[context.translate('ID'), value.id], ...kind.facts(value, context)];
}
