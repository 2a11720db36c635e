import type { SelectedRequests } from '../../../../jsonl/checking/requestPlan';
import type { SheetBlock, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toByteSize } from '../../../../shared/text';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { toNote, toNumber } from './sheetBlocks';
import type { SheetFacts } from './sheetFacts';

const partsShown = 8;

/** Why it takes several batches, and what each of them would hold; nothing when one is enough. */
export function toPartsSection({ limits, outgoing, chosen }: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { translate: t, locale } = context;
  if (outgoing?.parts === undefined) {
    return [];
  }
  const { requestCount, bodyBytes, parts } = outgoing;
  const over = [
    ...(requestCount > limits.maxRequests
      ? [t('{0} requests are more than the {1} of one batch.', toNumber(requestCount, locale), toNumber(limits.maxRequests, locale))]
      : []),
    ...(bodyBytes > limits.maxBytes
      ? [t('{0} are more than the {1} of one batch.', toByteSize(bodyBytes, locale), toByteSize(limits.maxBytes, locale))]
      : []),
  ].join(' ');
  const split: SheetBlock = { kind: 'acts', links: [{ label: t('Split into Files...'), act: { type: 'split' } }] };
  if (parts.length === 0) {
    const text = t('{0} A request alone is larger than a batch may be, so there are no parts that could be sent.', over);
    return [{ id: 'parts', title: t('Too Large for One Batch'), blocks: [toNote('error', text)] }];
  }
  const text = t(
    '{0} It goes as {1} batches, one after the other, which show and act as one. What was sent stays sent when a later part fails; the others can be sent then.',
    over,
    toNumber(parts.length, locale),
  );
  return [
    {
      id: 'parts',
      title: t('{0} Batches', toNumber(parts.length, locale)),
      // Files of the whole would send what was not chosen.
      blocks: [toNote('plain', text), toTable(parts, context), ...(chosen === undefined ? [split] : [])],
    },
  ];
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
