import assert from 'node:assert/strict';
import { toPictures } from '../../../src/features/results/table/toPictures';
import type { ResultsSurvey } from '../../../src/jsonl/querying/surveyResults';
import { becomes, eventually } from '../eventually';
import { ResultsPage } from '../resultsPage';
import { type ThemeName, tagOf, usePages } from '../webviewPage';

const survey: ResultsSurvey = {
  statuses: [
    ['succeeded', 460],
    ['failed', 32],
    ['expired', 8],
  ],
  problems: [],
  stopReasons: [
    ['end_turn', 420],
    ['max_tokens', 30],
    ['refusal', 10],
  ],
  outputTokens: {
    from: [0, 500, 1000, 1500, 2000, 2500, 3000, 3500],
    counts: [60, 90, 120, 80, 50, 30, 20, 10],
    min: 4,
    median: 1180,
    max: 3990,
  },
  inputTokens: undefined,
  models: [],
  clusters: [
    { key: 'c1', kind: 'failed', errorType: 'overloaded_error', message: 'Overloaded', count: 30 },
    { key: 'c2', kind: 'failed', errorType: 'invalid_request_error', message: 'messages.…: text is empty', count: 2 },
  ],
};
const translate = (text: string, ...args: readonly (string | number)[]) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)]));

describe('webview/results/resultPictures', () => {
  usePages();
  let panel: ResultsPage;

  async function show(query = ''): Promise<void> {
    const revision = await eventually(async () => {
      const asked = (await panel.posted('survey')).at(-1)?.revision;
      assert.equal(asked, panel.revision);
      return panel.revision;
    });
    await panel.post({ type: 'survey', revision, pictures: toPictures(survey, { translate, locale: 'en', query }) });
    await panel.rendered();
  }

  for (const [theme, width] of [
    ['dark', 1200],
    ['light', 420],
    ['highContrast', 900],
  ] satisfies [ThemeName, number][]) {
    it(`draws bars with words and numbers that link to their rows, in ${theme} within ${width} pixels${tagOf(theme)}`, async () => {
      panel = await ResultsPage.open({ theme, width, height: 900 });
      await panel.show(500);
      await panel.page.getByRole('button', { name: 'Charts' }).click();
      await panel.rendered();
      await show();
      await panel.screenshot(`results-pictures-${theme}`);
      const bar = panel.page.getByRole('button', { name: /^overloaded_error: Overloaded: 30/ });
      await bar.click();
      await panel.serve(30, 500);
      await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, 'cluster=c1');
      await show('cluster=c1');
      await becomes(() => bar.getAttribute('aria-pressed'), 'true');
      await bar.click();
      await becomes(async () => (await panel.posted('arrange')).at(-1)?.query, '');
      assert.deepEqual(await panel.unseenFocus(20), []);
      await becomes(async () => (await panel.kept()).memory?.charts, 'yes');
    });
  }
});
