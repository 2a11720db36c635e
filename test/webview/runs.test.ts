import assert from 'node:assert/strict';
import { createSessionView } from '../../src/features/sessions/live/createSessionView';
import type { ToolRow } from '../../src/shared/session/rows/rows';
import type { RunView } from '../../src/shared/session/sessionView';
import { Transcript } from '../../src/shared/session/transcript';
import { becomes } from './eventually';
import { manyRows, messageRow, toolRow, viewOf } from './panelFixtures';
import { PanelPage } from './panelPage';
import { pictureThemes, usePages } from './webviewPage';

const run = { workflow_run_id: 'wrun_1' };

/** Returns a run whose first phase was skipped, and whose second phase runs with `agents` agents. */
function runOf(agents: number) {
  const transcript = new Transcript();
  const phases = ['Build', 'Test', 'Report'].map(name => ({ id: name, name, description: null }));
  const phase = (step: string, id: string) => ({
    type: `workflow_run.phase_${step}`,
    id: `${step} ${id}`,
    ...run,
    workflow_run_phase_id: id,
  });
  transcript.append([
    { type: 'workflow_run.created', id: 'run', ...run, name: 'nightly', description: 'Builds and tests.', phases },
    phase('started', 'Build'),
    phase('ended', 'Build'),
    phase('started', 'Test'),
    ...Array.from({ length: agents }, (_, at) => {
      const thread = {
        session_thread_id: `t${at}`,
        agent_name: 'tester',
        processed_at: new Date(Date.UTC(2026, 0, 5, 9, 30, at)).toISOString(),
      };
      return [
        { type: 'session.thread_created', id: `created ${at}`, ...run, ...thread },
        { type: `session.thread_status_${at % 3 === 0 ? 'running' : 'idle'}`, id: `status ${at}`, ...thread },
      ];
    }).flat(),
  ]);
  const { runs = [] } = createSessionView({ session: { id: 's' } }, transcript.state());
  return { rows: transcript.rows, runs };
}

const judged = (seq: number, command: string, result: string, reason?: string): ToolRow =>
  toolRow(seq, {
    input: { type: 'json', text: JSON.stringify({ command }) },
    permission: result,
    ...(result === 'deny' ? { state: 'denied' } : {}),
    decision: { result, ...(reason === undefined ? {} : { reason }) },
  });

describe('webview/session/runs', () => {
  usePages();
  let panel: PanelPage;
  const nodes = () => panel.page.locator('.row-run *').count();
  const phase = (name: string) => panel.page.locator('.runPhase', { hasText: name });

  it('expands a run to phases, and a phase to its agents, whose threads can be opened', async () => {
    const { rows, runs } = runOf(4);
    panel = await PanelPage.open();
    await panel.show(rows, { view: viewOf({ runs }) });
    await panel.row('nightly').getByText('4 agents').waitFor();
    await phase('Build').getByText('moved on').waitFor();
    await phase('Test').getByText('running 2 of 4').waitFor();
    await phase('Report').getByText('waiting').waitFor();
    // Only opened threads of a run have a tab.
    await becomes(() => panel.page.getByRole('tab').count(), 0);
    await phase('Test').click();
    await becomes(() => panel.page.locator('.runAgent').count(), 0);
    await phase('Test').click();
    await panel.page.getByRole('button', { name: 'Show Thread tester 1' }).click();
    assert.deepEqual((await panel.message('openThread')).thread, 't0');
  });

  it('says that a program finished, not that the work succeeded', async () => {
    const { rows, runs } = runOf(1);
    panel = await PanelPage.open();
    const over = rows.map(row => (row.kind === 'run' ? { ...row, result: 'completed' } : row));
    await panel.show(over, { view: viewOf({ runs: runs.map(one => ({ ...one, state: 'completed' })) }) });
    await panel.row('nightly').getByText('Completed: the program ended. Check its work.').waitFor();
  });

  it('shows a thousand agents with few elements, and requests the others', async () => {
    const { rows, runs } = runOf(1000);
    panel = await PanelPage.open();
    await panel.show(rows, { view: viewOf({ runs }) });
    await panel.row('nightly').getByText('1,000 agents').waitFor();
    assert.ok((await nodes()) <= 300, `${await nodes()} nodes`);
    await panel.page.getByRole('button', { name: '970 more' }).click();
    const { run: asked, phase: of } = await panel.message('chooseRunThread');
    assert.deepEqual([asked, of], ['wrun_1', 'Test']);
  });

  it('renders no other row when agents move on', async () => {
    const { rows, runs } = runOf(1000);
    panel = await PanelPage.open();
    await panel.show([...rows.filter(({ kind }) => kind === 'run'), ...manyRows(20)], { view: viewOf({ runs }) });
    await panel.page
      .getByRole('article')
      .last()
      .evaluate((row: { querySelector(of: string): { textContent: string } | null }) => {
        const text = row.querySelector('.markdown, .rowHead');
        if (text !== null) {
          text.textContent = 'marked by the test';
        }
      });
    const moved: readonly RunView[] = runs.map(one => ({ ...one, agents: 1001 }));
    await panel.post({ type: 'amend', thread: '', splices: [], view: viewOf({ runs: moved }) });
    await panel.rendered();
    await panel.page.getByText('marked by the test').waitFor();
  });

  it("shows the service's decision at the call, alone on request, and steps through denied calls", async () => {
    panel = await PanelPage.open();
    const calls = [
      judged(1, 'npm run build', 'allow'),
      judged(2, 'rm -rf /', 'deny', 'high_risk'),
      judged(3, 'rm -rf ~', 'deny', 'new_code'),
    ];
    await panel.show([
      messageRow(0, 'Clean up'),
      ...calls,
      ...manyRows(300).map(row => ({ ...row, key: `m ${row.key}`, seq: row.seq + 10 })),
    ]);
    await panel.page.getByRole('combobox', { name: 'Show' }).selectOption('Decided by the service (3)');
    await becomes(() => panel.page.getByRole('article').count(), 3);
    await panel.row('npm run build').getByText('allowed by the service').waitFor();
    await panel.row('rm -rf /').getByText('denied by the service: high risk').waitFor();
    await panel.row('rm -rf ~').getByText('denied by the service: new code').waitFor();
    await panel.page.getByRole('button', { name: 'More' }).click();
    await panel.page.getByRole('menuitem', { name: 'Next Service Denial' }).click();
    await becomes(
      () =>
        panel.page
          .locator('article.isMarked')
          .innerText()
          .then(words => words.includes('rm -rf /')),
      true,
    );
    await panel.page.keyboard.press('d');
    await becomes(
      () =>
        panel.page
          .locator('article.isMarked')
          .innerText()
          .then(words => words.includes('rm -rf ~')),
      true,
    );
  });

  it('says that a session seems stuck, and what to do', async () => {
    panel = await PanelPage.open();
    const problem = { kind: 'repeats', count: 3, what: 'bash npm test', episode: 'e' } as const;
    await panel.show(manyRows(3), { view: viewOf({ problem }) });
    await panel.page.getByText('same call 3 times: bash npm test').waitFor();
    await panel.page.locator('.header-problem').getByRole('button', { name: 'Message' }).click();
    await becomes(() => panel.page.evaluate(() => document.activeElement?.tagName ?? ''), 'TEXTAREA');
    await panel.page.locator('.header-problem').getByRole('button', { name: 'Interrupt' }).click();
    await panel.message('interrupt');
    await panel.show(manyRows(3));
    await becomes(() => panel.page.locator('.header-problem').count(), 0);
  });

  for (const width of [1440, 1024]) {
    for (const theme of pictureThemes) {
      it(`has a calm layout at ${width}, in ${theme}`, async () => {
        const { rows, runs } = runOf(40);
        panel = await PanelPage.open({ width, height: 760, theme });
        const problem = { kind: 'silent', minutes: 9, episode: 'e' } as const;
        const shown = rows.filter(({ kind }) => kind === 'run').map(row => ({ ...row, seq: 4 }));
        const calls = [judged(1, 'npm run build', 'allow'), judged(2, 'rm -rf /workspace/.cache', 'deny', 'high_risk')];
        await panel.show([messageRow(0, 'Clean up, build and test.'), ...calls, ...shown], { view: viewOf({ runs, problem }) });
        await panel.row('nightly').waitFor();
        await panel.page.getByRole('feed').press('Home');
        await panel.screenshot(`runs-${width}-${theme}`);
      });
    }
  }
});
