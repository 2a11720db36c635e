import { limitOf, type SheetFacts } from '../../src/features/batches/sheet/presentation/sheetFacts';
import {
  afterTrial,
  chosenLines,
  counted,
  earlier,
  outgoingOf,
  past,
  pastRun,
  prefix,
  prices,
  problem,
  report,
  reportOf,
  retryChoices,
  selectedFrom,
  facts as sheetFacts,
  survey,
} from '../unit/features/batches/sheet/sheetUnderTest';

const place = { line: 3, start: 10, end: 40, masked: 'sk-l…' };
const findings = [
  { pattern: 'api-key', kind: 'secret', count: 2, ranges: [place, { ...place, line: 80 }] },
  {
    pattern: 'e-mail',
    kind: 'personal',
    count: 1204,
    ranges: Array.from({ length: 20 }, (_, line) => ({ ...place, line, masked: 'jane…' })),
  },
] as const;

/** Everything that a sheet can have at once. */
export const full: Partial<SheetFacts> = {
  report: {
    ...reportOf(problem('sampling-rejected', 'warning'), problem('deprecated-model', 'warning'), problem('carriage-returns', 'hint')),
    bareCount: 3,
  },
  repeats: [{ ...earlier, state: 'unknown' }],
  survey: { name: 'done', survey: { ...survey, findings, prefixes: [prefix, { ...prefix, id: 'p2', parent: 'p1', requests: 90 }] } },
  prices,
};
const long = `very-${'long-'.repeat(60)}name`;
/** Further states of a sheet, by name. */
export const states: Readonly<Record<string, Partial<SheetFacts>>> = {
  checking: { report: undefined, isChecking: true, survey: { name: 'none' } },
  estimating: { survey: { name: 'running', share: 0.4 } },
  plain: {},
  full,
  errors: { report: reportOf(problem('json-syntax', 'error', { path: [] }), problem('unknown-field', 'error')) },
  anyway: { report: reportOf(problem('number-out-of-range', 'error')) },
  allRefused: { report: { ...reportOf(problem('sampling-rejected', 'error')), refusedCount: report.requestCount } },
  overLimits: {
    limits: { maxRequests: 300, maxBytes: 1_000_000 },
    outgoing: { ...outgoingOf(report), parts: [selectedFrom(0, 300, 900_000), selectedFrom(300, 112, 334_567)] },
  },
  stale: { changes: ['The file has changed since it was checked.', 'The connection Other has changed. Check again.'] },
  sending: { isSending: true, sending: { share: 0.3, index: 0, isWaiting: false } },
  foreign: { isForeign: true, report: reportOf(problem('unknown-field', 'error', { path: ['method'] })), survey: { name: 'none' } },
  past: { past, prices, pastRuns: [pastRun, pastRun] },
  folder: { past, prices, folderModels: new Set(['vendor-sonnet-5']), report: full.report, folderRules: ['sampling-rejected'] },
  counting: { prices, count: { name: 'running', share: 0.3 } },
  counted: { prices, past, count: counted },
  notCounted: { prices, count: { name: 'failed', problem: 'The service at agents.example.com is overloaded' } },
  noCounts: { prices, count: { name: 'failed', problem: 'not found' }, hasNoCounts: true },
  overLimit: { prices, past, limit: { batch: 5, day: 20 }, spentToday: 3 },
  overLimitShown: { prices, limit: { batch: 5 }, shownLimit: limitOf({ ...sheetFacts, prices, limit: { batch: 5 } }) },
  stopped: { survey: { name: 'stopped' } },
  failed: { survey: { name: 'failed', problem: 'The file is not there any more' } },
  check: { isToSend: false, connection: undefined },
  changed: { choice: 'changed', choices: { ...retryChoices(), changed: chosenLines(5, { new: 3, changed: 2, kept: 400 }) }, prices, past },
  retry: { choice: 'retry', choices: retryChoices(), prices, past },
  afterTrial: { choice: 'rest', choices: afterTrial, prices, past },
  trial: { choice: 'trial', prices },
  nothingChosen: { choice: undefined, outgoing: undefined, choices: { ...afterTrial, trial: undefined, rest: undefined } },
  manyModels: {
    outgoing: outgoingOf({ ...report, models: Array.from({ length: 50 }, (_, index) => [`model-${index}`, 50 - index] as const) }),
    survey: { name: 'running', share: 0 },
  },
  hostile: {
    fileName: `\u202e${long}\u0007.jsonl`,
    connection: { name: `<img src=x onerror=alert(1)>\u200b${long}`, host: `${'sub.'.repeat(50)}example.com` },
    report: {
      ...reportOf(problem('<b>rule</b>', 'warning')),
      models: [
        [`שלום\u2067${long}`, 400],
        ['مرحبا', 12],
      ],
    },
    survey: { name: 'none' },
  },
};
