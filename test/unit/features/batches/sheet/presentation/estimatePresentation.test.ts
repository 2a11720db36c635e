import assert from 'node:assert/strict';
import { toPrefixesSection, toTokensSection } from '../../../../../../src/features/batches/sheet/presentation/estimatePresentation';
import type { SheetFacts } from '../../../../../../src/features/batches/sheet/presentation/sheetFacts';
import type { FileSurvey } from '../../../../../../src/jsonl/survey/fileSurvey';
import { answersOf, context, facts, prefix, prices, past as somePast, survey, surveyOf, textsOf } from '../sheetUnderTest';

const tokens = (change: Partial<SheetFacts> = {}) => toTokensSection({ ...facts, ...change }, context).blocks;
const tableOf = (change: Partial<SheetFacts> = {}) => {
  const table = tokens(change).find(({ kind }) => kind === 'table');
  assert.ok(table?.kind === 'table');
  return table;
};
const surveyed = (change: Partial<FileSurvey>): SheetFacts['survey'] => ({ name: 'done', survey: { ...survey, ...change } });
const prefixes = (change: Partial<FileSurvey> = {}, more: Partial<SheetFacts> = {}) =>
  toPrefixesSection({ ...facts, ...more }, { ...survey, ...change }, context).blocks;

describe('features/batches/sheet/presentation/estimatePresentation', () => {
  it('shows input as a range and output from 0 to the maximum, by model and in total', () => {
    const { head, rows, total } = tableOf();
    assert.deepEqual(head, ['Model', 'Requests', 'Input tokens', 'Output tokens']);
    assert.deepEqual(rows, [
      ['vendor-sonnet-5', '400', '3.4M to 4.19M', '0 to 410K'],
      ['vendor-haiku-4-5', '12', '11K to 19K', '0 to 12.3K'],
    ]);
    assert.deepEqual(total, ['All', '412', '3.41M to 4.21M', '0 to 422K']);
  });

  it('names the models whose price is set by the folder alone', () => {
    const text = textsOf(tokens({ prices, folderModels: new Set(['vendor-haiku-4-5', 'other']) }));
    assert.match(text, /Prices from this folder's settings/);
    assert.doesNotMatch(textsOf(tokens({ prices })), /folder's settings/);
  });

  it('rounds so that the true value lies in the range', () => {
    const many = surveyOf('m', 1, { low: 1_239_999, likely: 1_300_000, high: 1_240_001 }, 1001);
    const none = surveyOf('m', 1, { low: 0, likely: 0, high: 0 }, 0);
    const { rows } = tableOf({ survey: surveyed({ models: [many, none] }) });
    assert.deepEqual([rows[0]?.slice(2), rows[1]?.[2]], [['1.23M to 1.25M', '0 to 1.01K'], '0']);
  });

  it('lists the models with their counts before the estimate', () => {
    assert.deepEqual(tableOf({ survey: { name: 'running', share: 0 } }).rows[0], ['vendor-sonnet-5', '400', '…', '…']);
    assert.deepEqual(tableOf({ survey: { name: 'stopped' } }).rows[0]?.slice(2), ['–', '–']);
  });

  it('shows cost as a range per model and in total, if there are prices', () => {
    const { head, rows, total } = tableOf({ prices });
    assert.equal(head.at(-1), 'Cost');
    // 3.4M x 1.5 to 4.19M x 1.5 + 409,600 x 7.5, and 11K x 0.4 to 19K x 0.4 + 12,288 x 2.
    assert.deepEqual(
      rows.map(row => row.at(-1)),
      ['$5.10 to $9.36', '$0.0044 to $0.0322'],
    );
    assert.match(total?.at(-1) ?? '', /^\$5\.10 to \$9\.39$/);
    assert.doesNotMatch(textsOf(tokens({ prices })), /No price is set/);
  });

  it('names the models without a price, and says that the sum excludes them', () => {
    const some = new Map([...prices].slice(0, 1));
    assert.equal(tableOf({ prices: some }).rows[1]?.at(-1), 'no price');
    assert.equal(tableOf({ prices: some }).total?.at(-1), '$5.10 to $9.36');
    assert.match(textsOf(tokens({ prices: some })), /No price for vendor-haiku-4-5/);
    const models = [...survey.models, surveyOf('', 12, survey.input, 0)];
    assert.match(textsOf(tokens({ prices: some, survey: surveyed({ models }) })), /No price for vendor-haiku-4-5, other models/);
  });

  it('explains what the estimate is based on and what it excludes', () => {
    const text = textsOf(tokens({ survey: surveyed({ opaqueBlocks: 3, withoutMaxTokens: 2, skippedLines: 1 }) }));
    assert.match(text, /Images, documents and other blocks: 3\./);
    assert.match(text, /Without max_tokens: 2/);
    assert.match(text, /Not requests: 1/);
    assert.match(text, /Output is at most the sum/);
  });

  it('shows a prefix, its possible savings, and actions', () => {
    const text = textsOf(prefixes());
    assert.match(text, /380 requests to vendor-sonnet-5 start with the same 8\.2K to 9\.9K tokens\./);
    assert.match(text, /Up to 3\.1M to 3\.76M input tokens would be read from the cache\.$/m);
    assert.match(text, /in any order/);
    const [list] = prefixes();
    assert.ok(list?.kind === 'list');
    assert.deepEqual(
      list.items[0]?.links?.map(({ act }) => act),
      [
        { type: 'openPlace', line: 0, start: 0, end: 0 },
        { type: 'mark', prefix: 'p1', ttl: '5m' },
        { type: 'mark', prefix: 'p1', ttl: '1h' },
        { type: 'writePrimer', prefix: 'p1' },
      ],
    );
  });

  it('shows in money what a prefix saves at best and costs at worst', () => {
    assert.match(textsOf(prefixes({}, { prices })), /saves up to \$5\.\d\d, or adds up to \$1\.42/);
  });

  it('offers nothing for marked prefixes, and reports partly marked ones', () => {
    assert.match(textsOf(prefixes({ prefixes: [{ ...prefix, marked: 380 }] })), /380 of them are already marked/);
    assert.doesNotMatch(textsOf(prefixes({ prefixes: [{ ...prefix, marked: 380 }] })), /Insert/);
    assert.match(textsOf(prefixes({ prefixes: [{ ...prefix, marked: 80 }] })), /80 of them are already marked/);
  });

  it('lists all prefixes, folds those after the first few, and offers to mark all of them', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ ...prefix, id: `p${index}`, parent: index === 1 ? 'p0' : undefined }));
    const blocks = prefixes({ prefixes: many });
    const [list] = blocks;
    assert.ok(list?.kind === 'list');
    assert.equal(list.items.length, 9);
    assert.deepEqual(list.folded, { shown: 5, more: 'Show 4 More', fewer: 'Show Fewer' });
    const text = textsOf(blocks);
    assert.match(text, /All Prefixes: Insert cache_control \(1 Hour\)/);
    assert.match(text, /Don.t add up their savings/);
    const [few] = prefixes();
    assert.ok(few?.kind === 'list');
    assert.equal(few.folded, undefined);
  });

  it('shows the likely output based on past answers, at most the allowed output', () => {
    const past = new Map([...somePast, ['vendor-haiku-4-5', [answersOf({ answers: 2000, mean: 5000, isOfFile: false })]]]);
    const text = textsOf(tokens({ past }));
    assert.match(text, /^vendor-sonnet-5: about 120K output tokens \(10\dK to 1[34]\dK\), based on past results of this file \(1,204\)$/m);
    // 12 x 5,000 exceeds the sum of `max_tokens`.
    assert.match(text, /^vendor-haiku-4-5: about 12\.3K output tokens \(.*12\.3K\), based on past results of other files \(2,000\)$/m);
    assert.match(text, /Likely output: /);
    const models = survey.models.map(model => ({ ...model, template: 7 }));
    const alike = new Map([...past, ['vendor-haiku-4-5', [answersOf({ answers: 9, mean: 10, isOfFile: false, template: 7 })]]]);
    const byTemplate = textsOf(tokens({ past: alike, survey: surveyed({ models }) }));
    assert.match(byTemplate, /about 120 output tokens \(.*\), based on past results of the same system prompt and tools \(9\)$/m);
    // 3.79M x 1.5 + 120K x 7.5, and 12K x 0.4 + 12,288 x 2.
    assert.match(textsOf(tokens({ past, prices })), /about 120K output tokens \(.*\), \$6\.59 \(.*\) in total, based on/);
  });

  it('uses the price and the history of its alias for a dated model, and says so', () => {
    const dated = surveyOf('vendor-haiku-4-5-20251001', 2, { low: 100, likely: 100, high: 100 }, 512);
    const past = new Map([['vendor-haiku-4-5', [answersOf({ answers: 4, mean: 10, isOfFile: false })]]]);
    const text = textsOf(tokens({ prices, past, survey: surveyed({ models: [dated] }) }));
    assert.match(text, /vendor-haiku-4-5-20251001 is priced as vendor-haiku-4-5\./);
    assert.match(text, /about 20 output tokens \(.*\), \$0\.000080 \(.*\) in total, based on past results of other files \(4\)$/m);
    assert.doesNotMatch(text, /No price is set/);
  });

  it('shows no likely output without past answers, or before the estimate', () => {
    assert.doesNotMatch(textsOf(tokens()), /about/);
    assert.doesNotMatch(textsOf(tokens({ past: somePast, survey: { name: 'running', share: 0 } })), /about/);
  });
});
