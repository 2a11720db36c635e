import assert from 'node:assert/strict';
import { createdBatch, endAndFetch } from './batchSteps';
import { useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const key = 'key-of-the-tests';
const file = 'tickets.jsonl';
/** Requests of two models, of several sizes. */
const tickets = Array.from({ length: 200 }, (_, at) => ({
  custom_id: `ticket-${at}`,
  params: {
    model: at % 5 === 0 ? 'vendor-haiku-4-5' : 'vendor-sonnet-5',
    max_tokens: 512,
    system: 'You answer customers of a shop for garden tools. Be short and friendly.',
    messages: [{ role: 'user', content: `Order ${50_000 + at * 7}: ${'the spade broke after two weeks. '.repeat(1 + (at % 30))}` }],
  },
}));

/** Estimates the cost from the text, counts a sample, sends above the limit, and checks the actual cost. */
describe('the cost of a batch @ci', () => {
  const emulator = useEmulator({ key, scenario: { batchDuration: 600_000 } });
  const workbench = useWorkbench(() => ({
    files: { [file]: `${tickets.map(request => JSON.stringify(request)).join('\n')}\n` },
    settings: {
      'managedAgents.connections': { Lab: { baseUrl: emulator().url } },
      'managedAgents.connection': 'Lab',
      'workbench.colorTheme': 'Default Dark Modern',
      'managedAgents.estimate.prices': { 'vendor-sonnet-5': { input: 1.5, output: 7.5 }, 'vendor-haiku-4-5': { input: 0.5, output: 2.5 } },
      'managedAgents.spend.limit': { batch: 0.01, day: 10 },
      'managedAgents.results.fetchWhenEnded': false,
    },
  }));
  before('give the key', () => workbench().setKey(key));

  const calls = (path: string) => emulator().requests.filter(request => request.method === 'POST' && request.path.startsWith(path)).length;
  const showSheet = async () => {
    const w = workbench();
    await w.openFile(file);
    await w.runCommand('Managed Agents: Create and Send Batch...', w.sheetTab(file));
  };

  it('is counted by a sample on request, and needs a second click above the limit, which names both amounts', async () => {
    const w = workbench();
    await showSheet();
    await w.sheetSays(file, /^At most \$/);
    await w.sheetSays(file, /^This batch may cost \$.* Your limit per batch is \$0\.0100\./);
    assert.equal(calls('/v1/messages/count_tokens'), 0);
    await w.screenshot('cost-1-text');
    const frame = await w.sheet(file);
    await w.sheetButton(file, /^Count a Sample/, frame.getByText(/input tokens \(±.*requests counted: \d+\)/));
    const counted = calls('/v1/messages/count_tokens');
    assert.ok(counted >= 60 && counted <= 80, `${counted}`);
    await w.screenshot('cost-2-counted');
    const second = frame.getByRole('button', { name: /^Spend \$.* \(Limit \$0\.0100\)$/ });
    await w.sheetButton(file, /^Send 200 Requests$/, second);
    assert.equal(calls('/v1/messages/batches'), 0);
    await w.screenshot('cost-3-limit');
    await w.untilGone(w.sheetTab(file), timeout => second.click({ timeout }));
    await createdBatch(w, file, { requests: 200 });
    assert.equal(calls('/v1/messages/batches'), 1);
  });

  it("is predicted with a range from past answers, beside the last run's cost", async () => {
    const w = workbench();
    await w.openViewContainer('Managed Agents');
    await endAndFetch(w, emulator(), file, await createdBatch(w, file, { requests: 200 }));
    await showSheet();
    await w.sheetSays(file, /^About \$.* \(\$.* to \$.*\), at most \$/);
    await w.sheetSays(file, /input tokens \(±.*, based on past results\) · .* output tokens \(based on past results\)/);
    await w.sheetDetails(file);
    await w.sheetSays(file, /cost \$.* · estimated \$/);
    await w.screenshot('cost-4-past');
    await w.closeSheet(file);
  });

  it('is in the spending table', async () => {
    const w = workbench();
    await w.runCommand('Managed Agents: Show Spend', '.tab[aria-label^="Spend"]');
    const page = await w.webview('main.wide table');
    const rows = await page.locator('tbody tr').allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows.join('\n'), /Lab\s+vendor-sonnet-5\s+tickets\.jsonl\s+160\s+.*\$/);
    assert.match(rows.join('\n'), /Lab\s+vendor-haiku-4-5\s+tickets\.jsonl\s+40\s/);
    await w.screenshot('cost-5-spend');
  });
});
