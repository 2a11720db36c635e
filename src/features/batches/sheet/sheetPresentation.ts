import { toByteSize, toLabel } from '../../../common/text';
import type { Translate } from '../../../common/translate';
import type { BatchFileReport } from '../../../jsonl/batchFileReport';
import type { FileSurvey, SensitiveFinding, SensitivePattern } from '../../../jsonl/survey/fileSurvey';
import type { SheetItem, SheetLink, SheetSection, SheetView } from '../../../shared/sheet/protocol';
import { describeRepeat, type MessageContext } from '../submitting/createBatchMessages';
import { toPrefixesSection, toTokensSection } from './estimatePresentation';
import { toFoot, toSpoken } from './footPresentation';
import { toProblemsSection } from './problemsPresentation';
import { toNote, toNumber } from './sheetBlocks';
import { isToConvert, partsOf, type SheetFacts } from './sheetFacts';

const modelsNamed = 5;
const placesLinked = 3;

/** What the sheet shows of what it knows, in the user's language. */
export function toSheetView(facts: SheetFacts, context: MessageContext): SheetView {
  const { translate: t } = context;
  const { report, survey } = facts;
  const known =
    report === undefined
      ? []
      : isToConvert(facts, report)
        ? [toWhatSection(facts, report, context), toForeignSection(context)]
        : sectionsOfReport(facts, report, context);
  const found =
    survey.name === 'done' ? [toSensitiveSection(survey.survey, context), toPrefixesSection(facts, survey.survey, context)] : [];
  return {
    revision: facts.revision,
    title: facts.mode === 'create' ? t('Create Batch') : t('Estimate'),
    subtitle: toLabel(facts.fileName, 80),
    isBusy: facts.isChecking || facts.isSending || survey.name === 'running',
    sections: [...known, ...found],
    foot: toFoot(facts, context),
    spoken: toSpoken(facts, context),
  };
}

function sectionsOfReport(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetSection[] {
  return [
    toWhatSection(facts, report, context),
    ...toRepeatsSection(facts, context),
    toProblemsSection(facts, report, context),
    ...toPartsSection(facts, report, context),
    ...(report.requestCount === 0 ? [] : [toTokensSection(facts, context)]),
  ];
}

function toWhatSection(facts: SheetFacts, report: BatchFileReport, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const { connection, fromEditor, limits } = facts;
  const file = toLabel(facts.fileName, 200);
  const rows = [
    {
      name: t('Connection'),
      value:
        connection === undefined
          ? t(
              'None is chosen. The limits are those of a new one: {0} requests and {1}.',
              toNumber(limits.maxRequests, locale),
              toByteSize(limits.maxBytes, locale),
            )
          : t('{0}, on {1}', toLabel(connection.name, 80), toLabel(connection.host, 200)),
    },
    {
      name: t('File'),
      value: fromEditor ? t('{0}, as it stands in the editor, unsaved changes included', file) : t('{0}, as it is saved', file),
    },
    {
      name: 'SHA-256',
      value: `${report.sha256.slice(0, 16)}…`,
      links: [{ label: t('Copy'), name: t('Copy the whole SHA-256 of the file'), act: { type: 'copySha' } }] satisfies SheetLink[],
    },
    ...(isToConvert(facts, report) ? [] : toBodyRows(report, context)),
  ];
  return { id: 'what', title: t('What Goes Where'), blocks: [{ kind: 'facts', rows }] };
}

/** What would be sent. */
function toBodyRows(report: BatchFileReport, { translate: t, locale }: MessageContext): readonly { name: string; value: string }[] {
  const bytes = toByteSize(report.bodyBytes, locale);
  const shown = report.models.slice(0, modelsNamed).map(([model, count]) => `${toLabel(model, 60)} (${toNumber(count, locale)})`);
  const rest = report.models.length - shown.length;
  return [
    { name: t('Requests'), value: toNumber(report.requestCount, locale) },
    { name: t('Body'), value: report.bodyBytes < 1000 ? bytes : t('{0} ({1} bytes)', bytes, toNumber(report.bodyBytes, locale)) },
    ...(report.models.length === 0
      ? []
      : [
          {
            name: report.models.length === 1 ? t('Model') : t('Models'),
            value: rest > 0 ? t('{0} and {1} more', shown.join(', '), toNumber(rest, locale)) : shown.join(', '),
          },
        ]),
    ...(report.bareCount === 0
      ? []
      : [
          {
            name: t('Made ids'),
            value:
              report.bareCount === 1
                ? t('1 line has no custom_id; one is made from its line number.')
                : t(
                    '{0} lines have no custom_id; ids are made from their line numbers (line-1, line-2, ...).',
                    toNumber(report.bareCount, locale),
                  ),
          },
        ]),
  ];
}

function toForeignSection({ translate: t }: MessageContext): SheetSection {
  return {
    id: 'foreign',
    title: t('Another Form'),
    blocks: [
      toNote('warning', t('The file has requests in another form than batches take. A new file can be made of it, and a batch of that.')),
      { kind: 'acts', links: [{ label: t('Convert...'), act: { type: 'convert' } }], isMain: true },
    ],
  };
}

function toRepeatsSection({ repeats, mode }: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { translate: t } = context;
  if (repeats.length === 0 || mode === 'estimate') {
    return [];
  }
  const resolve: SheetLink = { label: t('Find Out What Happened'), act: { type: 'resolve' } };
  const items = repeats.slice(0, 3).map<SheetItem>(repeat => ({
    tone: 'warning',
    text: describeRepeat(repeat, context),
    ...(repeat.state === 'unknown' && { links: [resolve] }),
  }));
  return [{ id: 'repeats', title: t('Sent Before'), blocks: [{ kind: 'list', items }] }];
}

function toPartsSection(
  { limits }: SheetFacts,
  report: BatchFileReport,
  { translate: t, locale }: MessageContext,
): readonly SheetSection[] {
  const needed = partsOf(report, limits);
  if (needed === undefined) {
    return [];
  }
  const over = [
    ...(needed.isOverRequests
      ? [t('{0} requests are more than the {1} of one batch.', toNumber(report.requestCount, locale), toNumber(limits.maxRequests, locale))]
      : []),
    ...(needed.isOverBytes
      ? [t('{0} are more than the {1} of one batch.', toByteSize(report.bodyBytes, locale), toByteSize(limits.maxBytes, locale))]
      : []),
  ];
  const size = t(
    'It takes at least {0} parts, of about {1} requests and {2} each.',
    toNumber(needed.parts, locale),
    toNumber(Math.ceil(report.requestCount / needed.parts), locale),
    toByteSize(report.bodyBytes / needed.parts, locale),
  );
  return [
    {
      id: 'parts',
      title: t('Too Large for One Batch'),
      blocks: [
        toNote('error', [...over, size].join(' ')),
        { kind: 'acts', links: [{ label: t('Split into Parts...'), act: { type: 'split' } }] },
      ],
    },
  ];
}

function toSensitiveSection({ findings }: FileSurvey, context: MessageContext): SheetSection {
  const { translate: t } = context;
  const title = t('Secrets and Personal Data');
  if (findings.length === 0) {
    const text = t('None were found by their patterns. That does not prove that there are none.');
    return { id: 'sensitive', title, blocks: [toNote('plain', text)] };
  }
  const secrets = findings.filter(({ kind }) => kind === 'secret');
  const items = [...secrets, ...findings.filter(({ kind }) => kind !== 'secret')].map(finding => toFindingItem(finding, context));
  return {
    id: 'sensitive',
    title,
    blocks: [
      ...(secrets.length === 0
        ? []
        : [
            toNote(
              'error',
              t('There are secrets in the file. Whoever can read the batch or its results may read them. Take them out before it is sent.'),
            ),
          ]),
      { kind: 'list', items },
    ],
  };
}

function toFindingItem({ pattern, kind, count, places }: SensitiveFinding, { translate: t, locale }: MessageContext): SheetItem {
  const what = patternName(pattern, t);
  return {
    tone: kind === 'secret' ? 'error' : 'warning',
    text:
      kind === 'secret'
        ? t('Secret, {0}: {1}', what, toNumber(count, locale))
        : t('Personal data, {0}: {1}', what, toNumber(count, locale)),
    samples: places.slice(0, placesLinked).map(({ masked }) => toLabel(masked, 60)),
    links: places.slice(0, placesLinked).map(({ line, start, end }) => ({
      label: t('Line {0}', toNumber(line + 1, locale)),
      name: t('Line {0}, with {1}', toNumber(line + 1, locale), what),
      act: { type: 'openPlace', line, start, end },
    })),
  };
}

function patternName(pattern: SensitivePattern, t: Translate): string {
  const names: Readonly<Record<SensitivePattern, string>> = {
    'private-key': t('private key'),
    'api-key': t('API key'),
    'json-web-token': t('JSON web token'),
    'bearer-token': t('bearer token'),
    'connection-string': t('connection string with a password'),
    'token-field': t('token in a field of the request'),
    'payment-card': t('payment card'),
    'bank-account': t('bank account'),
    'social-security-number': t('social security number'),
    'e-mail': t('e-mail address'),
    'phone-number': t('phone number'),
  };
  return names[pattern];
}
