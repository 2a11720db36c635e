import type { SelectedRequests } from '../../../../jsonl/jobs/jobs';
import type { SheetBlock, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toByteSize } from '../../../../shared/text';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { toNumber } from './sheetBlocks';
import type { SheetFacts } from './sheetFacts';

const partsShown = 8;

/** What each of several batches would hold. */
export function toPartsSection({ outgoing }: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { parts = [] } = outgoing ?? {};
  const title = context.translate('{0} Batches', toNumber(parts.length, context.locale));
  return parts.length === 0 ? [] : [{ id: 'parts', title, blocks: [toTable(parts, context)] }];
}

function toTable(parts: readonly SelectedRequests[], { translate: t, locale }: MessageContext): SheetBlock {
  return {
    kind: 'table',
    name: t('What each batch would hold'),
    head: [t('Part'), t('Requests'), t('Lines'), t('Body')],
    rows: parts.map(({ lines, bodyBytes }, index) => [
      toNumber(index + 1, locale),
      toNumber(lines.length, locale),
      lines.length === 1
        ? toNumber((lines[0] ?? 0) + 1, locale)
        : t('{0} to {1}', toNumber((lines[0] ?? 0) + 1, locale), toNumber((lines.at(-1) ?? 0) + 1, locale)),
      toByteSize(bodyBytes, locale),
    ]),
    shown: partsShown,
    more: t('Show {0} More Parts', toNumber(parts.length - partsShown, locale)),
    fewer: t('Show Fewer Parts'),
  };
}
