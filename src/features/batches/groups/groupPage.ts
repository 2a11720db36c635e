import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import { describeTime, join, nameWithHost, type PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { toByteSize } from '../../../shared/text';
import { resultsOf } from '../../ledger';
import { type BatchContext, describeSource, labelOfSource } from '../batchPresentation';
import { noSurroundings, type PageSurroundings } from '../details/pageLinks';
import { cacheRows, statusRows } from '../details/reportRows';
import { describeGroupState, describeRequests, presentPart } from './groupPresentation';
import type { GroupRow } from './groupRow';

type Row = readonly [name: string, value: string];

/** A group as a Markdown page: the state of the whole, its parts, where it came from, its results. Only what `around` brings is a link. */
export function toGroupPage(
  row: GroupRow,
  connection: { readonly name: string; readonly host: string },
  context: BatchContext,
  around: PageSurroundings = noSurroundings,
): string {
  const { translate } = context;
  const { run } = row;
  return [
    `# ${escapeMarkdown(labelOfSource(run.source, context))}`,
    escapeMarkdown(
      join(' ', translate('{0} batches that were made from one file.', run.parts), around.run, describeGroupState(row, context)),
    ),
    around.links.join(' · '),
    partsTable(row, context),
    around.family,
    toFactTable(translate('Group'), [
      [translate('Connection'), nameWithHost(connection)],
      [translate('Begun'), describeTime(run.startedAt, context)],
      [translate('Requests'), describeRequests(row, context)],
    ]),
    toFactTable(translate('Source'), [
      [translate('File'), describeSource(run.source)],
      [translate('Size'), toByteSize(run.lead.fileBytes, context.locale)],
      ['SHA-256', run.lead.sha256],
    ]),
    toFactTable(translate('Results'), resultRows(row, around.cost, context)),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/** The hover of a group: the same, shorter. */
export function toGroupHover(
  row: GroupRow,
  connection: { readonly name: string; readonly host: string },
  context: PresentationContext,
): string {
  const { translate } = context;
  const lines = row.parts.map(part => {
    const { label, description } = presentPart(part, context);
    return `${escapeMarkdown(label)}: ${escapeMarkdown(description)}`;
  });
  const where = `${escapeMarkdown(translate('Connection'))}: ${escapeMarkdown(nameWithHost(connection))}`;
  return `**${escapeMarkdown(describeGroupState(row, context))}**\n\n${[...lines, where].join('  \n')}`;
}

function partsTable(row: GroupRow, context: PresentationContext): string {
  const { translate, locale } = context;
  const number = numberFormat(locale);
  const head = [translate('Part'), translate('State'), translate('Requests'), translate('Batch')];
  const rows = row.parts.map(part => {
    const { label, description } = presentPart(part, context);
    const requests = part.kind === 'unsent' ? '' : number.format(part.submission.requestCount);
    return [label, description, requests, part.kind === 'unsent' ? '' : (part.submission.batchId ?? '')];
  });
  return [head, head.map(() => ':--'), ...rows.map(cells => cells.map(escapeMarkdown))].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

function resultRows(row: GroupRow, cost: string, context: PresentationContext): readonly Row[] {
  const { translate, locale } = context;
  const results = resultsOf(row.run);
  if (results === undefined) {
    return [];
  }
  const number = numberFormat(locale);
  const { report } = results;
  const fetched = row.run.submissions.filter(part => part.results !== undefined).length;
  const rows: Row[] = [
    [translate('File'), results.filePath],
    [translate('Fetched'), describeTime(results.fetchedAt, context)],
    [translate('Parts in it'), translate('{0} of {1}', fetched, row.run.parts)],
    ...statusRows(report, context),
    [translate('Input tokens'), number.format(report.inputTokens)],
    [translate('Output tokens'), number.format(report.outputTokens)],
    ...cacheRows(report, context),
    ...(cost === '' ? [] : [[translate('Cost'), cost] as const]),
    [translate('Complete'), report.complete && fetched === row.run.parts ? translate('yes') : translate('no')],
  ];
  return rows.filter(([name, value]) => value !== '0' || name === translate('Output tokens'));
}
