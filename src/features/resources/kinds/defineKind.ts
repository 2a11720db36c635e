import { describeMoment, describeSince, type PresentationContext, toRow } from '../../../common/text/presentation';
import { ownValue } from '../../../shared/isRecord';
import { describeValue, toByteSize, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions/definitionText';
import type { Fact, KindCalls, Resource, ResourceKind, Template } from '../resourceKind';

/** Part of a row that differs between kinds. The state, the age and the usual label and icon are added to it. */
interface KindRow {
  readonly label?: string;
  readonly words: readonly string[];
  /** Words for screen readers, if they differ from `words`. */
  readonly spoken?: readonly string[];
  readonly icon?: string;
  readonly color?: string | undefined;
  /** Words for menu conditions, besides `resource` and the name of the kind. */
  readonly abilities?: readonly string[];
  /** Further words for menu conditions of a resource that is not archived. */
  readonly whileActive?: readonly string[];
}

/** Data of a kind. Metadata and times are added to its facts. */
interface KindData<T extends Resource> extends Omit<ResourceKind<T>, 'row' | 'facts'> {
  /** Word for the kind in menu conditions, if it is not the kind's name. */
  readonly ability?: string;
  row(value: T, context: PresentationContext): KindRow;
  /** Returns the time whose age the row shows. Defaults to the time of the last change. */
  time?(value: T): string | null | undefined;
  facts(value: T, context: PresentationContext): readonly Fact[];
}

/** Creates a kind from the data that differs between kinds. */
export function defineKind<T extends Resource>(data: KindData<T>): ResourceKind<T> {
  const { ability = data.kind, time = ({ updated_at: updated, created_at: created }: T) => updated ?? created } = data;
  return {
    ...data,
    calls: (client, parent) => {
      const calls = data.calls(client, parent);
      return data.hasArchived === true ? withoutArchived(calls) : calls;
    },
    row: (value, context) => {
      const { label = data.name(value), words, spoken = words, icon = data.icon, color, ...more } = data.row(value, context);
      if (data.isFolder?.(value) === true) {
        return toRow(label, [], { icon: 'folder', abilities: [`${ability}Folder`] });
      }
      const isArchived = data.hasArchived === true && typeof value.archived_at === 'string';
      const state = isArchived ? context.translate('archived') : '';
      const age = describeSince(time(value), context);
      const style = {
        icon: isArchived ? 'archive' : icon,
        color: isArchived ? 'disabledForeground' : color,
        abilities: ['resource', ability, ...(more.abilities ?? []), ...(isArchived ? [] : (more.whileActive ?? []))],
      };
      return { ...toRow(label, [state, ...words, age], style), spoken: toRow(label, [state, ...spoken, age], style).spoken };
    },
    facts: (value, context) => [...data.facts(value, context), ...recordFacts(value, context)],
  };
}

/** Returns calls whose list omits archived members unless they are requested, because some services ignore the filter. */
function withoutArchived<T extends Resource>(calls: KindCalls<T>): KindCalls<T> {
  return {
    ...calls,
    list: async options => {
      const page = await calls.list(options);
      const isWanted = ({ archived_at: time }: T) => options?.includeArchived === true || typeof time !== 'string';
      return { ...page, items: page.items.filter(isWanted) };
    },
  };
}

/** Returns the last facts of a resource: its metadata, and when it was created, changed and archived. */
function recordFacts(record: Resource, context: PresentationContext): readonly Fact[] {
  const { translate } = context;
  return [
    ...Object.entries(record.metadata ?? {}).map(([name, value]): Fact => [translate('Metadata: {0}', name), describeValue(value)]),
    [translate('Created'), describeMoment(record.created_at, context)],
    [translate('Updated'), describeMoment(record.updated_at, context)],
    [translate('Archived'), describeMoment(record.archived_at, context)],
  ];
}

/** Creates a template of a new resource. */
export function template(label: string, description: string, definition: Definition): Template {
  return { label, description, definition };
}

/** Formats a size that the service sent. Returns '' if the size is unknown. */
export function sizeWords(bytes: number | null | undefined, { locale }: Pick<PresentationContext, 'locale'>): string {
  return typeof bytes === 'number' ? toByteSize(bytes, locale) : '';
}

/** Returns the label of a value that the service sent. An unknown value is returned unchanged, cut at `most` characters. */
export function wordOf(words: Readonly<Record<string, string>>, value: string | null | undefined, most = 40): string {
  return ownValue(words, value ?? '') ?? toLabel(value ?? '', most);
}
