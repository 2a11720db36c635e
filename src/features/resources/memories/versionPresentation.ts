import type { Actor, MemoryVersion } from '../../../client/resources/memoryStores';
import { describeSince, join, type PresentationContext, shortId } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import { sizeWords, wordOf } from '../kinds/defineKind';

/**
 * Describes a version: the change, its time, its author, its size, and whether it was redacted. `current` is the ID of the memory's current
 * version. `withPath` is true if the list contains versions of several memories.
 */
export function presentVersion(version: MemoryVersion, current: string | undefined, withPath: boolean, context: PresentationContext) {
  const { translate } = context;
  const path = toLabel(version.path ?? '', 80);
  const done = operationOf(version, context);
  const size = sizeWords(version.content_size_bytes, context);
  const isRedacted = typeof version.redacted_at === 'string';
  return {
    icon: isRedacted ? 'eye-closed' : version.operation === 'deleted' ? 'trash' : version.operation === 'created' ? 'add' : 'edit',
    label: withPath && path !== '' ? translate('{0}: {1}', path, done) : done,
    description: join(' · ', version.id === current ? translate('current') : '', describeSince(version.created_at, context), size),
    detail: join(
      ' · ',
      translate('by {0}', describeActor(version.created_by, context)),
      withPath ? '' : path,
      isRedacted
        ? translate('redacted {0} by {1}', describeSince(version.redacted_at, context), describeActor(version.redacted_by, context))
        : '',
    ),
  };
}

/** Describes the author of a version. */
function describeActor(actor: Actor | null | undefined, { translate }: PresentationContext): string {
  if (actor?.session_id) {
    return translate('session {0}', shortId(actor.session_id));
  }
  if (actor?.api_key_id) {
    return translate('API key {0}', shortId(actor.api_key_id));
  }
  if (actor?.user_id) {
    return translate('user {0}', shortId(actor.user_id));
  }
  return actor?.type ? toLabel(actor.type, 40) : translate('unknown');
}

function operationOf({ operation }: MemoryVersion, { translate }: PresentationContext): string {
  const words = { created: translate('Created'), modified: translate('Changed'), deleted: translate('Deleted') };
  return wordOf(words, operation) || translate('Written');
}
