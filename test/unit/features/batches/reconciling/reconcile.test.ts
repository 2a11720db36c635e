import assert from 'node:assert/strict';
import type { MessageBatch } from '../../../../../src/client/resources/messageBatches';
import type { ListOptions, Page } from '../../../../../src/client/transport/callResult';
import { reconcile } from '../../../../../src/features/batches/reconciling/searchForBatch';
import { describeSearch, describeVerdict } from '../../../../../src/features/batches/reconciling/unknownPresentation';
import type { Candidate } from '../../../../../src/features/ledger/submission';
import type { SubmissionRegistry } from '../../../../../src/features/ledger/submissionRegistry';
import { fieldOf } from '../../../../helpers/fieldOf';
import { recordOf } from '../../ledger/ledgerOfTest';
import { english } from '../../requests/fillPlaceholders';
import { batch as batchOf } from '../batchUnderTest';

const submission = recordOf({ id: 's1', source: 'file:///a/requests.jsonl', state: 'unknown', startedAt: '2026-05-04T10:00:00.000Z' });

const batch = (id: string, created_at: string | null, processing = 3) => batchOf('in_progress', { processing }, { id, created_at });

function service(
  pages: readonly (readonly MessageBatch[])[],
  cursorOf = (page: number) => (page + 1 < pages.length ? String(page + 1) : undefined),
) {
  const asked: (string | undefined)[] = [];
  const list = async ({ cursor }: ListOptions = {}): Promise<Page<MessageBatch>> => {
    asked.push(cursor);
    const page = Number(cursor ?? 0);
    return { items: pages[Math.min(page, pages.length - 1)] ?? [], nextCursor: cursorOf(page), requestId: undefined };
  };
  return { asked, list };
}

function knowing(...batchIds: string[]): Pick<SubmissionRegistry, 'all' | 'reload'> {
  return {
    all: () => batchIds.map(batchId => ({ ...submission, id: `of ${batchId}`, state: 'created', connection: 'Lab, renamed', batchId })),
    reload: async () => undefined,
  };
}

async function candidates(pages: readonly (readonly MessageBatch[])[], known: string[] = []): Promise<string[]> {
  return (await reconcile(service(pages), knowing(...known), submission)).candidates.map(({ id }) => id);
}

describe('features/batches/reconciling/reconcile', () => {
  const then = '2026-05-04T10:00:05Z';
  const counts = { processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 1 };
  const cases: readonly (readonly [name: string, found: string[], page: readonly MessageBatch[], known?: string[]])[] = [
    ['finds the batch made then with as many requests', ['a'], [batch('a', then), batch('b', then, 4)]],
    ['leaves out what another submission made, also by another connection', ['b'], [batch('a', then), batch('b', then)], ['a']],
    ['counts requests of an ended batch by the sum of its counts', ['a'], [{ ...batch('a', then, 0), request_counts: counts }]],
    ['tolerates an hour', ['new'], [batch('new', '2026-05-04T09:00:01Z'), batch('old', '2026-05-04T08:59:59Z')]],
    ['takes a batch without a time for one of then', ['a'], [batch('a', null)]],
    ['leaves out what was made long after', [], [batch('late', '2026-05-05T11:00:01Z')]],
    ['takes a batch of which the list counts no requests for one that can be it', ['a'], [batch('a', then, 0)]],
  ];
  for (const [name, found, page, known] of cases) {
    it(name, async () => assert.deepEqual(await candidates([page], known), found));
  }

  it('reads until all batches of a page are older, and no further', async () => {
    const pages = [
      [batch('1', '2026-05-04T12:00:00Z')],
      [batch('2', '2026-05-04T10:00:00Z')],
      [batch('3', '2026-05-04T08:00:00Z')],
      [batch('4', null)],
    ];
    const { asked, list } = service(pages);
    const found = await reconcile({ list }, knowing(), submission);
    assert.deepEqual(asked, [undefined, '1', '2']);
    assert.deepEqual(fieldOf(found.candidates, 'id'), ['1', '2']);
    assert.equal(found.reachedBack, true);
  });

  it("stops at a circular list, and reports that it didn't reach back", async () => {
    for (const cursorOf of [() => '0', (page: number) => String(page + 1)]) {
      const { asked, list } = service([[batch('1', '2026-05-04T12:00:00Z')]], cursorOf);
      const found = await reconcile({ list }, knowing(), submission);
      assert.equal(found.reachedBack, false);
      assert.equal(asked.length, 2);
    }
  });

  const answers: readonly (readonly [string, Partial<Page<MessageBatch>>, reachedBack: boolean])[] = [
    ['an empty list', {}, true],
    ['an empty page that promises more', { isCut: true }, false],
    ['an empty page that leads on', { nextCursor: 'x' }, false],
    ['a page of older batches', { items: [batch('old', '2026-05-04T08:00:00Z')] }, true],
    ['a page of newer batches that promises more', { items: [batch('new', '2026-05-04T12:00:00Z')], isCut: true }, false],
    ['a page with a row that cannot be read', { items: [batch('old', '2026-05-04T08:00:00Z')], unreadable: 1 }, false],
  ];
  for (const [name, answer, reachedBack] of answers) {
    it(`${reachedBack ? 'reaches' : 'does not reach'} back with ${name}`, async () => {
      const list = async (): Promise<Page<MessageBatch>> => ({ items: [], nextCursor: undefined, requestId: undefined, ...answer });
      const found = await reconcile({ list }, knowing(), submission);
      assert.equal(found.reachedBack, reachedBack);
    });
  }

  it('describes the result of a search', () => {
    const say = (looks: number, ...candidates: readonly Candidate[]) =>
      describeSearch({ ...submission, search: { looks, lookedAt: '', listed: 1, reachedBack: true, candidates } }, { ...english, now: 0 });
    const candidate: Candidate = { batchId: 'a', ended: true, ids: 'same', createdAt: '2026-05-04T10:00:00Z' };
    assert.match(say(1), /No batch found yet; the list will be checked again/);
    assert.match(say(7), /no batch was found\. Decide whether to send the file again/);
    assert.match(say(1, candidate), /Possible batch: a\./);
    assert.match(say(1, candidate, { ...candidate, batchId: 'b' }), /Possible batches: 2/);
    assert.match(describeVerdict(candidate, { ...english, now: 0 }), /^Created May 4, .*\. Same IDs\. Someone/);
  });
});
