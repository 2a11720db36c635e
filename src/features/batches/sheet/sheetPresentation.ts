import { toByteSize, toLabel } from '../../../common/text';
import type { Translate } from '../../../common/translate';
import type { BatchFileReport } from '../../../jsonl/batchFileReport';
import { severityOrder } from '../../../jsonl/batchRules';
import type { Severity } from '../../../jsonl/problem';
import type { FileSurvey, SensitiveFinding, SensitivePattern } from '../../../jsonl/survey/fileSurvey';
import type { SheetBlock, SheetFoot, SheetItem, SheetLink, SheetSection, SheetView, Tone } from '../../../shared/sheet/protocol';
import { describeRepeat, type MessageContext, toSentence, translateText } from '../createBatchMessages';
import { describeInput, toNumber, toPrefixesSection, toTokensSection } from './estimatePresentation';
import { partsOf, type SheetFacts, sendability } from './sheetFacts';

const rulesShown = 12;
const modelsNamed = 5;
const placesLinked = 3;

/** What the sheet shows of what it knows, in the user's language. */
export function toSheetView(facts: SheetFacts, context: MessageContext): SheetView {
  const { translate: t } = context;
  const { report, survey } = facts;
  const known = report === undefined ? [] : sectionsOfReport(facts, report, context);
  const found =
    survey.name === 'done' ? [toSensitiveSection(survey.survey, context), toPrefixesSection(facts, survey.survey, context)] : [];
  return {
    revision: facts.revision,
    title: facts.mode === 'create' ? t('Create Batch') : t('Estimate'),
    subtitle: toLabel(facts.fileName, 200),
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
  const { connection, fromEditor } = facts;
  const file = toLabel(facts.fileName, 200);
  const bytes = toByteSize(report.bodyBytes, locale);
  const shown = report.models.slice(0, modelsNamed).map(([model, count]) => `${toLabel(model, 60)} (${toNumber(count, locale)})`);
  const rest = report.models.length - shown.length;
  const rows = [
    {
      name: t('Connection'),
      value:
        connection === undefined
          ? t('None is chosen. The limits are those of the service interface.')
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
  return { id: 'what', title: t('What Goes Where'), blocks: [{ kind: 'facts', rows }] };
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

function toProblemsSection(facts: SheetFacts, report: BatchFileReport, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const title = t('Problems');
  if (report.ruleCounts.length === 0) {
    return { id: 'problems', title, blocks: [{ kind: 'note', tone: 'good', text: t('Nothing is wrong with the file.') }] };
  }
  const worst = new Map<string, (typeof report.problems)[number]>();
  for (const problem of report.problems) {
    if (!worst.has(problem.rule)) {
      worst.set(problem.rule, problem);
    }
  }
  // The listed problems are the worst: a rule that is only counted is none of those.
  const rank = (rule: string) => severityOrder.indexOf(worst.get(rule)?.severity ?? 'hint');
  const rules = [...report.ruleCounts].sort((a, b) => rank(a.rule) - rank(b.rule));
  const items = rules.slice(0, rulesShown).map<SheetItem>(({ rule, count, firstLine }) => {
    const first = worst.get(rule);
    const { line, start, end } = first ?? { line: firstLine, start: 0, end: 0 };
    const number = toNumber(line + 1, locale);
    return {
      tone: first === undefined ? 'plain' : toneOf(first.severity),
      text: t('{0}: {1}', rule, toNumber(count, locale)),
      ...(first !== undefined && { detail: toSentence(translateText(first.text, context)) }),
      links: [
        {
          label: t('Line {0}', number),
          name: t('Line {0}, the first of {1}', number, rule),
          act: { type: 'openPlace', line, start, end },
        },
      ],
    };
  });
  const rest = rules.length - items.length;
  const verdict = sendability(report, facts.limits);
  const { error } = report.problemCounts;
  return {
    id: 'problems',
    title,
    blocks: [
      toNote('plain', countProblems(report, context)),
      ...(verdict === 'anyway'
        ? [
            toNote(
              'warning',
              error === 1
                ? t('The error is about what a request asks of the model. The service may refuse the batch, or let that request fail.')
                : t('The errors are about what requests ask of the model. The service may refuse the batch, or let those requests fail.'),
            ),
          ]
        : []),
      { kind: 'list', items },
      ...(rest > 0 ? [toNote('plain', t('{0} more rules are in the report.', toNumber(rest, locale)))] : []),
      {
        kind: 'acts',
        links: [
          { label: t('Fix...'), act: { type: 'fix' } },
          { label: t('Show in Problems View'), act: { type: 'showProblems' } },
          { label: t('Check Report'), act: { type: 'showReport' } },
        ],
      },
    ],
  };
}

function countProblems({ problemCounts }: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const texts: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
    error: [t('1 error'), t('{0} errors', toNumber(problemCounts.error, locale))],
    warning: [t('1 warning'), t('{0} warnings', toNumber(problemCounts.warning, locale))],
    information: [t('1 remark'), t('{0} remarks', toNumber(problemCounts.information, locale))],
    hint: [t('1 hint'), t('{0} hints', toNumber(problemCounts.hint, locale))],
  };
  return severityOrder
    .filter(severity => problemCounts[severity] > 0)
    .map(severity => texts[severity][problemCounts[severity] === 1 ? 0 : 1])
    .join(', ');
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

function toFoot(facts: SheetFacts, context: MessageContext): SheetFoot {
  const { translate: t } = context;
  const { mode, report, isSending } = facts;
  const verdict = report === undefined ? 'no' : sendability(report, facts.limits);
  const isElsewhere = facts.repeats.some(({ state }) => state === 'sending');
  return {
    status: toStatus(facts, context),
    close: t('Close'),
    ...(mode === 'create' &&
      report !== undefined &&
      verdict !== 'no' &&
      !isElsewhere && {
        create: { label: toCreateLabel(facts, report, context), isDisabled: isSending || facts.isChecking || facts.changes.length > 0 },
      }),
    ...(mode === 'estimate' && verdict !== 'no' && { leadOn: { label: t('Create Batch...'), act: { type: 'leadOn' } } }),
  };
}

function toCreateLabel({ repeats, limits }: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const requests = report.requestCount === 1 ? t('1 Request') : t('{0} Requests', toNumber(report.requestCount, locale));
  if (sendability(report, limits) === 'anyway') {
    return t('Create Batch of {0} Anyway', requests);
  }
  return repeats.length > 0 ? t('Create Another Batch of {0}', requests) : t('Create Batch of {0}', requests);
}

function toStatus(facts: SheetFacts, context: MessageContext): SheetFoot['status'] {
  const { translate: t, locale } = context;
  const { survey, changes, report } = facts;
  if (facts.isSending) {
    return { tone: 'plain', text: t('Sending to {0}…', toLabel(facts.connection?.name ?? '', 80)) };
  }
  if (facts.isChecking) {
    return { tone: 'plain', text: t('Checking the file…'), share: 0 };
  }
  if (changes.length > 0) {
    return { tone: 'warning', text: changes.join(' '), links: [{ label: t('Check Again'), act: { type: 'checkAgain' } }] };
  }
  if (facts.notice !== undefined) {
    return { tone: 'warning', text: facts.notice };
  }
  if (survey.name === 'running') {
    return {
      ...{ tone: 'plain', text: t('Estimating tokens, looking for shared prefixes and secrets…'), share: survey.share },
      links: [{ label: t('Stop'), name: t('Stop the estimate'), act: { type: 'stopEstimate' } }],
    };
  }
  const why = report === undefined ? undefined : whyNot(facts, report, context);
  if (why !== undefined) {
    return { tone: 'error', text: why };
  }
  if (survey.name === 'stopped' || survey.name === 'failed') {
    return {
      tone: 'warning',
      text: survey.name === 'stopped' ? t('The estimate was stopped.') : t('The estimate failed. {0}', toSentence(survey.problem)),
      links: [{ label: t('Estimate Again'), act: { type: 'startEstimate' } }],
    };
  }
  const secrets = survey.name === 'done' ? countSecrets(survey.survey) : 0;
  if (secrets > 0) {
    return {
      tone: 'error',
      text: secrets === 1 ? t('1 secret is in the file.') : t('{0} secrets are in the file.', toNumber(secrets, locale)),
    };
  }
  return { tone: 'plain', text: '' };
}

/** Why nothing can be sent as it stands; undefined when it can. */
function whyNot(facts: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): string | undefined {
  if (report.requestCount === 0) {
    return t('There are no requests in the file. A batch needs at least one.');
  }
  if (partsOf(report, facts.limits) !== undefined) {
    return t('It is too large for one batch. Split it into parts first.');
  }
  if (sendability(report, facts.limits) === 'no') {
    const wrong = Math.max(report.problemCounts.error, report.invalidCount);
    return wrong === 1
      ? t('No batch can be created: 1 error must be mended first.')
      : t('No batch can be created: {0} errors must be mended first.', toNumber(wrong, locale));
  }
  if (facts.mode === 'create' && facts.repeats.some(({ state }) => state === 'sending')) {
    return t('The same content is being sent by another window.');
  }
  return undefined;
}

function toSpoken(facts: SheetFacts, context: MessageContext): string {
  const { translate: t, locale } = context;
  if (facts.changes.length > 0 || facts.notice !== undefined) {
    return facts.changes.length > 0 ? facts.changes.join(' ') : (facts.notice ?? '');
  }
  if (facts.survey.name !== 'done' || facts.isChecking) {
    return '';
  }
  const secrets = countSecrets(facts.survey.survey);
  const found = secrets === 0 ? '' : ` ${t('Secrets found: {0}.', toNumber(secrets, locale))}`;
  return `${t('The estimate is ready: {0}', describeInput(facts.survey.survey, context))}${found}`;
}

function countSecrets({ findings }: FileSurvey): number {
  return findings.reduce((sum, { kind, count }) => (kind === 'secret' ? sum + count : sum), 0);
}

function toNote(tone: Tone, text: string): SheetBlock {
  return { kind: 'note', tone, text };
}

function toneOf(severity: Severity): Tone {
  return severity === 'error' || severity === 'warning' ? severity : 'plain';
}
