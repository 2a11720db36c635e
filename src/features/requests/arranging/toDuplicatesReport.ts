import type { Report } from '../../../common/documents/reportDocuments';
import type { Translate } from '../../../common/text/translate';
import type { DuplicateGroup, DuplicateLine, DuplicatesReport } from '../../../jsonl/arranging/arrangingJobs';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { LinkedReport } from '../documents/linkedReport';

/** Returns a report of duplicates, with links to the lines. */
export function toDuplicatesReport(name: string, found: DuplicatesReport, t: Translate, locale?: string): Report {
  const report = new LinkedReport(locale);
  const number = (value: number) => numberFormat(locale).format(value);
  const rows: readonly (readonly [string, number])[] = [
    [t('Requests'), found.requests],
    [t('Same params'), found.repeats.params],
    [t('  and same ID'), found.repeats.request],
    [t('Same ID'), found.repeats.id],
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  report.add(t('Duplicates in {0}', toLabel(name, 1000)), '');
  report.add(...rows.map(([label, value]) => `${label.padEnd(width)}  ${number(value)}`));
  report.add('', t('Key order, white space and escapes are ignored.'));
  const addGroups = (title: string, groups: readonly DuplicateGroup[], all: number) => {
    if (groups.length > 0) {
      report.add('', groups.length < all ? t('{0}: the first {1} of {2}', title, number(groups.length), number(all)) : title);
      for (const { first, later, laterCount } of groups) {
        const rest = laterCount - later.length;
        report.addLinks(
          '  ',
          [first, ...later].map(place => ({ line: place.line, text: idBehind(place) })),
          rest > 0 ? t(' and {0} more', number(rest)) : '',
        );
      }
    }
  };
  addGroups(t('Same params on lines'), found.sameParams, found.sameParamsGroups);
  addGroups(t('Same ID, other params on lines'), found.sameIds, found.sameIdsGroups);
  return report.report();
}

function idBehind({ id }: DuplicateLine): string {
  return id === undefined ? '' : ` (${toLabel(id, 64)})`;
}
