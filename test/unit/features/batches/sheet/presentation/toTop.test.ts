import assert from 'node:assert/strict';
import type { SheetFacts } from '../../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { toTop } from '../../../../../../src/features/batches/sheet/presentation/toTop';
import { fieldOf } from '../../../../../helpers/fieldOf';
import {
  afterTrial,
  chosenLines,
  context,
  counted,
  facts,
  noChoices,
  past,
  prices,
  report,
  retryChoices,
  survey,
  textsOf,
} from '../sheetUnderTest';

const blocks = (change: Partial<SheetFacts> = {}) => toTop({ ...facts, ...change }, change.report ?? report, context);
const text = (change: Partial<SheetFacts> = {}) => textsOf(blocks(change));
const cost = (change: Partial<SheetFacts>) => blocks(change).flatMap(block => (block.kind === 'prices' ? [block.text] : []))[0];
const labels = (change: Partial<SheetFacts>) => {
  const choices = blocks(change).find(({ kind }) => kind === 'choices');
  return choices?.kind === 'choices' ? choices.choices.map(({ label }) => label) : [];
};

describe('features/batches/sheet/presentation/toTop', () => {
  it('shows the likely and the maximum cost, rounded up', () => {
    assert.match(cost({ prices, past }) ?? '', /^About \$6\.60 \(\$\d\.\d\d to \$\d\.\d\d\), at most \$9\.39$/);
    assert.equal(cost({ prices }), 'At most $9.39');
    assert.equal(cost({ survey: { name: 'running', share: 0 } }), 'Estimating…');
    assert.equal(cost({ survey: { name: 'stopped' } }), 'No estimate');
  });

  it("shows that the cost uses the folder's prices, and what it excludes", () => {
    const folderModels = new Set(['vendor-haiku-4-5']);
    assert.match(
      cost({ prices, past, folderModels }) ?? '',
      /^About \$6\.60 .*, at most \$9\.39, with prices from this folder's settings$/,
    );
    assert.match(cost({ prices, past, folderModels: new Set(['other']) }) ?? '', /^About \$6\.60 .*, at most \$9\.39$/);
    for (const change of [{ opaqueBlocks: 3 }, { withoutMaxTokens: 1 }]) {
      assert.match(
        cost({ prices, survey: { name: 'done', survey: { ...survey, ...change } } }) ?? '',
        /, plus content that can't be estimated/,
      );
    }
  });

  it('shows no sum if a price is missing, and offers to set prices', () => {
    const some = new Map([...prices].slice(0, 1));
    assert.equal(cost({ prices: some, past }), 'Set prices to see the cost');
    const editor = blocks({ prices: some }).find(({ kind }) => kind === 'prices');
    assert.ok(editor?.kind === 'prices');
    assert.deepEqual(
      editor.models.map(({ model, input, output }) => [model, input, output]),
      [
        ['vendor-sonnet-5', 1.5, 7.5],
        ['vendor-haiku-4-5', undefined, undefined],
      ],
    );
    assert.equal(editor.edit, 'Set Prices');
    assert.match(text({ prices }), /Edit Prices/);
  });

  it('offers applicable choices, and none for a single request', () => {
    assert.deepEqual(labels({}), ['All 412', 'Trial: {size} first']);
    assert.deepEqual(labels({ total: 1 }), []);
    assert.deepEqual(labels({ choices: { ...retryChoices(), changed: chosenLines(5) } }), [
      'All 412',
      'Changed since the last run: 5',
      'Without a good result: 59',
      'Trial: {size} first',
    ]);
    assert.deepEqual(labels({ choices: afterTrial, choice: 'rest' }), ['The remaining 402', 'All 412']);
  });

  it('summarizes a trial and what to expect of the rest', () => {
    assert.match(text({ choices: afterTrial }), /Trial: 10 of 10 succeeded, \$1\.20\. Expect 72 to 100% of the remaining 402 to succeed\./);
    const unmet = { sampled: 10, succeeded: 7, unmet: 2, low: 0.39, high: 0.89, cost: undefined };
    assert.match(text({ choices: { ...noChoices, trial: unmet } }), /Trial: 7 of 10 succeeded\. Not as expected: 2\.$/m);
  });

  it('says how many session transcripts are sent, and to which host', () => {
    assert.match(text({ isAboutSessions: true }), /The transcripts of 412 sessions are sent to agents\.example\.com\./);
    assert.match(
      text({ isAboutSessions: true, outgoing: { ...facts.outgoing, requestCount: 10 } as SheetFacts['outgoing'] }),
      /of 10 sessions/,
    );
    assert.doesNotMatch(text({}), /transcripts/);
    assert.doesNotMatch(text({ isAboutSessions: true, connection: undefined }), /transcripts/);
  });

  it('shows the causes of a retry with their changes, first lines, and the file to write instead', () => {
    const choices = retryChoices();
    const list = blocks({ choices, choice: 'retry' }).find(({ kind }) => kind === 'list');
    assert.ok(list?.kind === 'list');
    assert.deepEqual(
      list.items.map(({ text: words, check }) => [words, check?.isChosen]),
      [
        ['44 cut short (max_tokens): Raise max_tokens, 24 to 96', true],
        ['12 overloaded_error: Send without changes', true],
        ['3 invalid_request_error: temperature is not accepted: Remove temperature', false],
      ],
    );
    assert.deepEqual(fieldOf(list.items[0]?.links, 'label'), ['Line 1', 'Line 4', 'Line 7', 'Change...']);
    assert.match(text({ choices, choice: 'retry' }), /Write Retry File Instead/);
    for (const { key } of choices.retry?.plan.groups ?? []) {
      choices.retry?.choice.choose(choices.retry.choice.find(key) ?? assert.fail(), false);
    }
    const none = text({ choices, choice: 'retry', outgoing: undefined });
    assert.match(none, /Select at least one\./);
    assert.doesNotMatch(none, /Write Retry File/);
  });

  it("says why requests are sent again, and why others can't be chosen", () => {
    const changed = chosenLines(6, { new: 3, changed: 2, unknown: 1, kept: 400 });
    assert.match(
      text({ choices: { ...noChoices, changed }, choice: 'changed' }),
      /3 new, 2 changed, 1 sent before, charged again\. Answers from different runs may differ\./,
    );
    const waiting = { ...noChoices, note: 'Results are missing.', unfetched: [{} as never] };
    assert.match(text({ choices: waiting }), /Results are missing\.[\s\S]*fetchEarlier/);
    assert.match(
      text({ choices: { ...noChoices, follows: undefined }, choice: undefined, outgoing: undefined }),
      /Select the requests to send\./,
    );
    assert.match(text({ choices: noChoices, choice: undefined, outgoing: undefined }), /All 412 requests have results/);
    assert.match(text({ choices: noChoices, choice: undefined, outgoing: undefined, total: 1 }), /The request has a result for/);
  });
});

describe('features/batches/sheet/presentation/toTop: counts and limits', () => {
  const counts = (change: Partial<SheetFacts>) => blocks(change).flatMap(block => (block.kind === 'prices' ? [block.count?.label] : []))[0];

  it('offers to count a sample if there is a connection, after the survey', () => {
    assert.equal(counts({}), 'Count a Sample');
    for (const change of [
      { connection: undefined },
      { survey: { name: 'running', share: 0 } },
      { count: { name: 'running', share: 0 } },
      { count: counted },
      { hasNoCounts: true },
    ] satisfies Partial<SheetFacts>[]) {
      assert.equal(counts(change), undefined);
    }
    assert.equal(counts({ count: { name: 'failed', problem: 'x' } }), 'Count a Sample');
  });

  it('shows counted tokens, tokens by past results, and the reason why counting failed', () => {
    assert.match(text({ count: counted }), /^3\.99M input tokens \(±0\.\d+%, requests counted: 44\)$/m);
    assert.match(text({ count: counted, past }), /requests counted: 44\) · \d+K to \d+K output tokens \(based on past results\)$/m);
    assert.match(text({ count: { name: 'failed', problem: 'No time' } }), /^Couldn't count the tokens of the sample\. No time\.$/m);
    const lacking = text({ count: { name: 'failed', problem: 'No time' }, hasNoCounts: true });
    assert.match(lacking, /^Lab doesn't count tokens, so the estimate is based on the text\.$/m);
    assert.doesNotMatch(lacking, /No time/);
    assert.doesNotMatch(text({}), /input tokens/);
  });

  it('warns of a limit with both amounts, and of an unknown cost', () => {
    assert.match(text({ prices, limit: { batch: 5 } }), /^This batch may cost \$9\.39\. Your limit per batch is \$5\.00\.$/m);
    const day = { prices, limit: { batch: 100, day: 10 }, spentToday: 2 };
    assert.match(text(day), /^With this batch, today's cost may reach \$11\.39\. Your daily limit is \$10\.00\.$/m);
    assert.match(text({ limit: { batch: 5 } }), /^The cost is unknown\. Your limit per batch is \$5\.00\.$/m);
    assert.doesNotMatch(text({ prices, limit: { batch: 10 } }), /limit/);
    assert.doesNotMatch(text({ limit: { batch: 5 }, survey: { name: 'running', share: 0 } }), /limit/);
    assert.doesNotMatch(text({ limit: { batch: 5 }, isToSend: false }), /limit/);
  });
});
