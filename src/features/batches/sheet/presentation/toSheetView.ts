import type { Translate } from '../../../../common/text/translate';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import type { FileSurvey, SensitiveFinding, SensitivePattern } from '../../../../jsonl/survey/fileSurvey';
import type { SheetBlock, SheetItem, SheetLink, SheetSection, SheetView } from '../../../../shared/sheet/sheetProtocol';
import { toByteSize, toLabel } from '../../../../shared/text';
import type { Submission } from '../../../ledger';
import { describeRepeat, type MessageContext } from '../../submitting/createBatchMessages';
import { toTokensSection } from './estimatePresentation';
import { toFoot, toSpoken } from './footPresentation';
import { toProblemsSection } from './problemsSection';
import { toNote, toNumber } from './sheetBlocks';
import { isAllRefused, isToConvert, type SheetFacts } from './sheetFacts';
import { toCostSection } from './toCostSection';
import { toPartsSection } from './toPartsSection';
import { toPrefixesSection } from './toPrefixesSection';

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
  const isWhole = facts.outgoing?.selected === undefined;
  const found =
    survey.name === 'done'
      ? [
          toSensitiveSection(survey.survey, context),
          // Marking prefixes changes the file, and then no request of it is chosen any more.
          ...(isWhole ? [toPrefixesSection(facts, survey.survey, context)] : []),
        ]
      : [];
  return {
    revision: facts.revision,
    mode: facts.mode,
    title: facts.mode === 'create' ? t('Create Batch') : t('Estimate'),
    subtitle: toLabel(facts.fileName, 80),
    isBusy: facts.isChecking || facts.isSending || survey.name === 'running',
    sections: [...known, ...found],
    foot: toFoot(facts, context),
    spoken: toSpoken(facts, context),
  };
}

function sectionsOfReport(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetSection[] {
  const problems = toProblemsSection(facts, report, context);
  const isFirst = isAllRefused(report, facts.outgoing);
  return [
    ...(isFirst ? [problems] : []),
    ...(report.requestCount === 0 ? [] : toCostSection(facts, context)),
    toWhatSection(facts, report, context),
    ...toRepeatsSection(facts, context),
    ...(isFirst ? [] : [problems]),
    ...toPartsSection(facts, context),
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
          : connection.name === connection.host
            ? toLabel(connection.name, 200)
            : t('{0}, on {1}', toLabel(connection.name, 80), toLabel(connection.host, 200)),
    },
    {
      name: t('File'),
      value: fromEditor ? t('{0}, as it stands in the editor, unsaved changes included', file) : t('{0}, as it is saved', file),
    },
    ...(facts.folder === undefined ? [] : [{ name: t('Folder'), value: toLabel(facts.folder, 400) }]),
    {
      name: 'SHA-256',
      value: `${report.sha256.slice(0, 16)}…`,
      links: [{ label: t('Copy'), name: t('Copy the whole SHA-256 of the file'), act: { type: 'copySha' } }] satisfies SheetLink[],
    },
    ...(isToConvert(facts, report) ? [] : toBodyRows(facts, report, context)),
    ...(connection === undefined ? [] : [toProfileRow(connection, context)]),
  ];
  const { note, hasWhy = false } = facts.chosen ?? {};
  const showWhy: SheetLink = { label: t('Show Why'), name: t('Show why each request is sent'), act: { type: 'showWhy' } };
  const notes: readonly SheetBlock[] =
    note === undefined ? [] : [{ kind: 'note', tone: 'plain', text: note, ...(hasWhy && { links: [showWhy] }) }];
  return { id: 'what', title: t('Details'), blocks: [{ kind: 'facts', rows }, ...notes] };
}

/** Returns the row of the user profile that the batch is attributed to. */
function toProfileRow({ userProfileId }: NonNullable<SheetFacts['connection']>, { translate: t }: MessageContext) {
  const isSet = userProfileId !== undefined;
  const link: SheetLink = {
    label: isSet ? t('Change...') : t('Set...'),
    name: isSet ? t('Change the user profile of the batch') : t('Set the user profile of the batch'),
    act: { type: 'setUserProfile' },
  };
  return { name: t('User profile'), value: isSet ? toLabel(userProfileId, 200) : t('none'), links: [link] };
}

/** What would be sent. */
function toBodyRows(
  { outgoing, chosen }: SheetFacts,
  report: BatchFileReport,
  { translate: t, locale }: MessageContext,
): readonly { name: string; value: string }[] {
  const { requestCount, bodyBytes, models } = outgoing ?? report;
  const { selected, parts } = outgoing ?? {};
  const bytes = toByteSize(bodyBytes, locale);
  const shown = models.slice(0, modelsNamed).map(([model, count]) => `${toLabel(model, 60)} (${toNumber(count, locale)})`);
  const rest = models.length - shown.length;
  const requests = toNumber(requestCount, locale);
  return [
    {
      name: t('Requests'),
      value:
        selected === undefined
          ? requests
          : t('{0} of {1}: {2}', requests, toNumber(report.requestCount, locale), toLabel(chosen?.description ?? '', 200)),
    },
    {
      name: parts === undefined ? t('Body') : t('Bodies'),
      value: bodyBytes < 1000 ? bytes : t('{0} ({1} bytes)', bytes, toNumber(bodyBytes, locale)),
    },
    ...(models.length === 0
      ? []
      : [
          {
            name: models.length === 1 ? t('Model') : t('Models'),
            value: rest > 0 ? t('{0} and {1} more', shown.join(', '), toNumber(rest, locale)) : shown.join(', '),
          },
        ]),
    ...(report.bareCount === 0 || selected !== undefined
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
    title: t('Another Format'),
    blocks: [
      toNote('warning', t('A batch cannot take requests in this format. Convert them to a new file first.')),
      { kind: 'acts', links: [{ label: t('Convert...'), act: { type: 'convert' } }], isMain: true },
    ],
  };
}

function toRepeatsSection(facts: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { translate: t } = context;
  const { repeats, mode } = facts;
  if (repeats.length === 0 || mode === 'estimate') {
    return [];
  }
  const resolve: SheetLink = { label: t('Find Out What Happened'), act: { type: 'resolve' } };
  // One line for each other file, however often it was sent.
  const keyOf = ({ id, source, state }: Submission) => (source === facts.source ? id : `${source} ${state}`);
  const shown = repeats.filter((repeat, index) => repeats.findIndex(other => keyOf(other) === keyOf(repeat)) === index);
  const items = shown.slice(0, 3).map<SheetItem>(repeat => ({
    tone: 'warning',
    text: describeRepeat(repeat, context, { source: facts.source, requestCount: facts.outgoing?.requestCount }),
    ...(repeat.state === 'unknown' && { links: [resolve] }),
  }));
  return [{ id: 'repeats', title: t('Sent Before'), blocks: [{ kind: 'list', items }] }];
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
