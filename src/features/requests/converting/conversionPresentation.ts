import { describeRequests } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import type { FoundItems } from '../../../jsonl/converting/conversionNotes';
import type { ConversionReport } from '../../../jsonl/converting/convertFile';
import type { ItemKind } from '../../../jsonl/converting/convertItem';
import type { ItemPosition } from '../../../jsonl/converting/foreignItems';
import { toNumber } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { LinkedReport } from '../documents/linkedReport';
import type { Report } from '../documents/reportDocuments';

/** Labels of the files of a conversion. */
export interface ConversionNames {
  readonly source: string;
  readonly out: string;
  /** File with the items that could not be converted, if any. */
  readonly rest: string | undefined;
}

/** Returns the report of a conversion, with links to the items of the source. */
export function toConversionReport(names: ConversionNames, conversion: ConversionReport, t: Translate, locale?: string): Report {
  const report = new LinkedReport(locale);
  const { items, converted, kinds, notes, failures, changedIds } = conversion;
  report.add(t('Conversion of {0}', toLabel(names.source, 1000)), '');
  report.add(t('{0} of {1} items were converted.', toNumber(converted, locale), toNumber(items, locale)));
  const kindNames = { 'batch-line': t('Batch lines'), chat: t('Chats'), params: t('Message params'), request: t('Requests') };
  report.add('');
  report.addTable([
    [t('Requests written to'), toLabel(names.out, 1000)],
    ...(names.rest === undefined ? [] : [[t('Not converted'), toLabel(names.rest, 1000)] as const]),
    ...(Object.keys(kindNames) as ItemKind[]).flatMap(kind =>
      kinds[kind] === 0 ? [] : [[kindNames[kind], toNumber(kinds[kind], locale)] as const],
    ),
  ]);
  // All elements of an array may be on one line.
  const isByNumber = conversion.layout === 'elements';
  const toLink = ({ line, column, number }: ItemPosition) => (isByNumber ? { line, column, number } : { line, column });
  const addItems = ({ count, first }: FoundItems) => {
    const more = count > first.length ? t(' and {0} more', toNumber(count - first.length, locale)) : '';
    report.addLinks(`      ${isByNumber ? t('Requests') : t('Lines')} `, first.map(toLink), more);
  };
  const sentence = ({ template, args }: ProblemText) => toLabel(t(template, ...args), 500);
  if (failures.length > 0) {
    report.add('', t('Not converted'));
    for (const failure of failures) {
      report.add(`  ${sentence(failure.text)}`);
      addItems(failure);
    }
  }
  if (notes.length > 0) {
    report.add('', t('Left out or changed'));
    for (const note of notes) {
      report.add(`  ${toLabel(note.field, 200)}`, `      ${sentence(note.text)}`);
      addItems(note);
    }
  }
  if (changedIds.count > 0) {
    const { count, first } = changedIds;
    report.add('', t('Changed IDs ({0} of {1})', toNumber(first.length, locale), toNumber(count, locale)));
    for (const { from, to, ...position } of first) {
      report.addLinks(isByNumber ? `  ${t('request')} ` : '  ', [
        { ...toLink(position), text: `: ${toLabel(from, 100)} -> ${toLabel(to, 100)}` },
      ]);
    }
  }
  if (notes.length + failures.length + changedIds.count === 0) {
    report.add('', t('Nothing was left out.'));
  }
  return report.report();
}

/** Returns the message after a conversion. */
export function toConversionMessage(
  { out, rest }: ConversionNames,
  { converted, items }: ConversionReport,
  t: Translate,
  locale?: string,
): string {
  const written = t('Wrote {0} to {1}.', describeRequests(converted, { translate: t, locale }), toLabel(out, 80));
  if (rest === undefined) {
    return written;
  }
  return `${written} ${t('Not converted, in {1}: {0}.', toNumber(items - converted, locale), toLabel(rest, 80))}`;
}
