import assert from 'node:assert/strict';
import type { SheetFacts } from '../../../../../../src/features/batches/sheet/presentation/sheetFacts';
import { toCostSection } from '../../../../../../src/features/batches/sheet/presentation/toCostSection';
import { toSheetView } from '../../../../../../src/features/batches/sheet/presentation/toSheetView';
import { context, facts, past, pastRun, prices, survey } from '../sheetUnderTest';

const leadOf = (change: Partial<SheetFacts> = {}) => {
  const lead = toCostSection({ ...facts, ...change }, context)[0]?.blocks.find(({ kind }) => kind === 'lead');
  return lead?.kind === 'lead' ? [lead.text, lead.detail] : undefined;
};
const itemsOf = (change: Partial<SheetFacts>) => {
  const list = toCostSection({ ...facts, ...change }, context)[0]?.blocks.find(({ kind }) => kind === 'list');
  return list?.kind === 'list' ? list.items.map(({ text, detail }) => `${text}: ${detail}`) : [];
};

describe('features/batches/sheet/presentation/toCostSection', () => {
  it('stands before everything else', () => {
    assert.equal(toSheetView({ ...facts, prices, past }, context).sections[0]?.id, 'cost');
  });

  it('leads with what is likely, then with what it is at most, rounded up', () => {
    assert.deepEqual(leadOf({ prices, past }), ['About $6.60', 'At most $9.39']);
  });

  it('says what is at most alone where no answer of a model was fetched yet', () => {
    assert.deepEqual(leadOf({ prices }), ['At most $9.39', 'An estimate appears once you have results for these models.']);
  });

  it("says beside the money that it is reckoned by prices of the folder's settings", () => {
    const folderModels = new Set(['vendor-haiku-4-5']);
    assert.deepEqual(leadOf({ prices, past, folderModels }), ['About $6.60', "At most $9.39 · priced by this folder's settings"]);
    assert.match(leadOf({ prices, folderModels })?.[1] ?? '', /^priced by this folder's settings · /);
    assert.deepEqual(leadOf({ prices, past, folderModels: new Set(['other']) }), ['About $6.60', 'At most $9.39']);
  });

  it('tells tokens where a price is missing, and never a sum of some models', () => {
    const some = new Map([...prices].slice(0, 1));
    assert.deepEqual(leadOf({ prices: some, past }), ['About 124K output tokens', 'At most 422K output tokens']);
  });

  it('promises no bound where something cannot be counted', () => {
    for (const change of [{ opaqueBlocks: 3 }, { withoutMaxTokens: 1 }]) {
      assert.match(
        leadOf({ prices, survey: { name: 'done', survey: { ...survey, ...change } } })?.[0] ?? '',
        /, plus what cannot be estimated/,
      );
    }
  });

  it('has room for the numbers while they come, and none where none will', () => {
    assert.deepEqual(leadOf({ survey: { name: 'running', share: 0 } }), ['Estimating…', '']);
    assert.deepEqual(toCostSection({ ...facts, survey: { name: 'stopped' } }, context), []);
  });

  it('says what the last runs took, beside the estimate', () => {
    const [own, other] = itemsOf({
      pastRuns: [pastRun, { ...pastRun, fileName: 'b.jsonl', requests: 1, actual: undefined, took: undefined }],
    });
    assert.match(own ?? '', /^This file, May 4, 2026, .*: 412 requests · cost \$1\.20 · estimated \$0\.40 to \$3\.00 · took 12 min$/);
    assert.match(other ?? '', /^b\.jsonl, May 4, 2026, .*: 1 request · 1\.2M → 84K tokens$/);
  });
});
