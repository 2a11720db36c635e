import { describeDuration, describeRequests, describeTime } from '../../../../common/text/presentation';
import type { Translate } from '../../../../common/text/translate';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import type { FileSurvey, SensitivePattern } from '../../../../jsonl/survey/fileSurvey';
import { toNumber } from '../../../../shared/formats';
import type { SheetItem, SheetLink, SheetSection, SheetView } from '../../../../shared/sheet/sheetProtocol';
import { join, toByteSize, toLabel } from '../../../../shared/text';
import { requestCountOf, resultsOf } from '../../../ledger';
import { actualCost, describeCost, describeEstimate, estimatedCost } from '../../runCost';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { listSome, toPrefixesSection, toTokens, toTokensSection } from './estimatePresentation';
import { toFoot, toSpoken } from './footPresentation';
import { isToConvert, present, type SheetFacts, toNote } from './sheetFacts';
import { toTop } from './toTop';

const maxLinks = 3;

/** Returns the view of a sheet in the user's language. */
export function toSheetView(facts: SheetFacts, context: MessageContext): SheetView {
  const { translate: t } = context;
  const { report, survey, connection } = facts;
  return {
    ...{ revision: facts.revision, wish: facts.wish },
    title: t('Create Batch'),
    subtitle: toLabel(facts.fileName, 80),
    connection: connection && {
      label: t('Connection: {0}', toLabel(connection.name, 80)),
      act: { type: 'switchConnection' },
    },
    isBusy: facts.isChecking || facts.isSending || survey.name === 'running' || facts.count.name === 'running',
    top: report === undefined ? [] : toTop(facts, report, context),
    details: report === undefined ? [] : toDetails(facts, report, context),
    detailsTitle: t('Details'),
    foot: toFoot(facts, context),
    spoken: toSpoken(facts, context),
  };
}

function toDetails(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetSection[] {
  const { survey, outgoing, choice } = facts;
  const isForeign = isToConvert(facts, report);
  const found = survey.name === 'done' ? survey.survey : undefined;
  return [
    toWhatSection(facts, report, context),
    ...(isForeign || outgoing === undefined || report.requestCount === 0 ? [] : [toTokensSection(facts, context)]),
    ...toRunsSection(facts, context),
    ...(found === undefined ? [] : [toSensitiveSection(found, facts.hasLines, context)]),
    // Marking prefixes changes the whole file.
    ...(found !== undefined && choice === 'all' && found.prefixes.length > 0 ? [toPrefixesSection(facts, found, context)] : []),
  ];
}

function toWhatSection(facts: SheetFacts, report: BatchFileReport, context: MessageContext): SheetSection {
  const { translate: t } = context;
  const { connection, fromEditor, outgoing } = facts;
  const file = toLabel(facts.fileName, 200);
  const where =
    connection === undefined
      ? t('none')
      : connection.name === connection.host
        ? toLabel(connection.name, 200)
        : t('{0}, on {1}', toLabel(connection.name, 80), toLabel(connection.host, 200));
  const copy: SheetLink = { label: t('Copy'), name: t('Copy SHA-256'), act: { type: 'copySha' } };
  const rows = present(
    { name: t('Connection'), value: where },
    { name: t('File'), value: fromEditor ? t('{0} (with unsaved changes)', file) : t('{0} (saved version)', file) },
    facts.folder !== undefined && { name: t('Folder'), value: toLabel(facts.folder, 400) },
    { name: 'SHA-256', value: `${report.sha256.slice(0, 16)}…`, links: [copy] },
    ...(isToConvert(facts, report) || outgoing === undefined ? [] : toBodyRows(outgoing, report, context)),
    connection && toProfileRow(connection, context),
  );
  return { id: 'what', title: t('Request'), blocks: [{ kind: 'facts', rows }] };
}

function toRunsSection({ pastRuns, prices, currency }: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { translate: t, locale } = context;
  const tokens = (value = 0) => toTokens(value, locale, Math.round);
  const money = { translate: t, currency, locale };
  const items = pastRuns.map<SheetItem>(run => {
    const actual = actualCost(run, prices);
    const estimated = estimatedCost(run, prices);
    const times = (field: 'created_at' | 'ended_at') => run.submissions.map(({ batch }) => Date.parse(batch?.[field] ?? ''));
    const durationMs = Math.max(...times('ended_at')) - Math.min(...times('created_at'));
    const { inputTokens, outputTokens } = resultsOf(run)?.report ?? {};
    return {
      tone: 'plain',
      text: describeTime(run.startedAt, context),
      detail: join(
        ' · ',
        describeRequests(requestCountOf(run), context),
        actual === undefined
          ? t('{0} → {1} tokens', tokens(inputTokens), tokens(outputTokens))
          : t('cost {0}', describeCost(actual, money)),
        actual === undefined || estimated === undefined ? '' : t('estimated {0}', describeEstimate(estimated, money)),
        durationMs >= 0 ? t('took {0}', describeDuration(durationMs, locale)) : '',
      ),
    };
  });
  return items.length === 0 ? [] : [{ id: 'runs', title: t('Earlier Runs of This File'), blocks: [{ kind: 'list', items }] }];
}

function toProfileRow({ userProfileId }: NonNullable<SheetFacts['connection']>, { translate: t }: MessageContext) {
  const isSet = userProfileId !== undefined;
  const link: SheetLink = {
    label: isSet ? t('Change...') : t('Set...'),
    name: t('User profile'),
    act: { type: 'setUserProfile' },
  };
  return { name: t('User profile'), value: isSet ? toLabel(userProfileId, 200) : t('none'), links: [link] };
}

function toBodyRows(
  { requestCount, bodyBytes, models, selected, parts }: NonNullable<SheetFacts['outgoing']>,
  report: BatchFileReport,
  context: MessageContext,
): readonly { name: string; value: string }[] {
  const { translate: t, locale } = context;
  const bytes = toByteSize(bodyBytes, locale);
  const names = models.map(([model, count]) => `${toLabel(model, 60)} (${toNumber(count, locale)})`);
  const requests = toNumber(requestCount, locale);
  const bare = t('Without a custom_id: {0} (line-1, line-2, …)', toNumber(report.bareCount, locale));
  return present(
    {
      name: t('Requests'),
      value: selected === undefined ? requests : t('{0} of {1}', requests, toNumber(report.requestCount, locale)),
    },
    {
      name: parts === undefined ? t('Body') : t('Bodies'),
      value: bodyBytes < 1000 ? bytes : t('{0} ({1} bytes)', bytes, toNumber(bodyBytes, locale)),
    },
    names.length > 0 && { name: names.length === 1 ? t('Model') : t('Models'), value: listSome(names, context) },
    report.bareCount > 0 && selected === undefined && { name: t('Generated IDs'), value: bare },
  );
}

function toSensitiveSection({ findings }: FileSurvey, hasLines: boolean, { translate: t, locale }: MessageContext): SheetSection {
  const secretsFirst = [...findings].sort((a, b) => Number(b.kind === 'secret') - Number(a.kind === 'secret'));
  const items = secretsFirst.map(({ pattern, kind, count, ranges }): SheetItem => {
    const what = patternName(pattern, t);
    const number = toNumber(count, locale);
    return {
      tone: kind === 'secret' ? 'error' : 'warning',
      text: kind === 'secret' ? t('Secret, {0}: {1}', what, number) : t('Personal data, {0}: {1}', what, number),
      samples: ranges.slice(0, maxLinks).map(({ masked }) => toLabel(masked, 60)),
      links: ranges.slice(0, hasLines ? maxLinks : 0).map(({ line, start, end }) => ({
        label: t('Line {0}', toNumber(line + 1, locale)),
        name: t('Line {0}, with {1}', toNumber(line + 1, locale), what),
        act: { type: 'openPlace', line, start, end },
      })),
    };
  });
  const none = toNote('plain', t('No secrets or personal data detected (pattern check only)'));
  return { id: 'sensitive', title: t('Secrets and Personal Data'), blocks: [items.length === 0 ? none : { kind: 'list', items }] };
}

function patternName(pattern: SensitivePattern, t: Translate): string {
  const names: Readonly<Record<SensitivePattern, string>> = {
    'private-key': t('private key'),
    'api-key': t('API key'),
    'json-web-token': t('JSON web token'),
    'bearer-token': t('bearer token'),
    'connection-string': t('connection string'),
    'token-field': t('token in a field'),
    'payment-card': t('payment card'),
    'bank-account': t('bank account'),
    'social-security-number': t('social security number'),
    'e-mail': t('email address'),
    'phone-number': t('phone number'),
  };
  return names[pattern];
}
