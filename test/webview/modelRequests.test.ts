import assert from 'node:assert/strict';
import type { Row } from '../../src/shared/session/rows/rows';
import { becomes, eventually } from './eventually';
import { everything, messageRow, textPart, toolRow } from './panelFixtures';
import { PanelPage } from './panelPage';
import { usePages } from './webviewPage';

const hostile = '<img src=x onerror=alert(1)> \u202eread me';

describe('webview/session/rows, model requests', () => {
  usePages();
  let panel: PanelPage;

  it('tell what came since the request before, as text, and lead to it', async () => {
    await show();
    const [first, second] = [panel.row('Model request').nth(0), panel.row('Model request').nth(1)];
    await open(first);
    await first.getByText('the first one. It is not the prompt itself, which no event tells.').waitFor();
    await becomes(() => first.getByRole('listitem').allTextContents(), ['You: Look at the notes.']);
    await open(second);
    await second.getByText('What events tell that came since the request before. It is not the prompt itself').waitFor();
    await becomes(
      () => second.getByRole('listitem').allTextContents(),
      ['Agent: I look.', 'Result of bash: <img src=x onerror=alert(1)> \\u{202e}read me'],
    );
    await becomes(() => second.locator('img').count(), 0);
    await panel.screenshot('model-request-context');
    await second.getByRole('button', { name: 'Agent: I look.' }).click();
    await eventually(async () => assert.match((await panel.page.locator('.timeline :focus').first().textContent()) ?? '', /I look\./));
  });

  it('say that nothing is told where nothing came', async () => {
    await show([model(0), model(2)]);
    await open(panel.row('Model request').nth(1));
    await panel.page.getByText('Nothing is told.').waitFor();
  });

  it('count what is too long to show', async () => {
    await show([...Array.from({ length: 70 }, (_, seq) => messageRow(seq, `Message ${seq}`, { kind: 'user' })), model(70)]);
    const row = panel.row('Model request');
    await open(row);
    await row.getByText('The last 50 of 70:').waitFor();
    await becomes(() => row.getByRole('listitem').count(), 50);
  });

  async function show(rows: readonly Row[] = session()): Promise<void> {
    panel = await PanelPage.open({ width: 500, height: 900, kept: everything });
    await panel.show(rows);
  }

  async function open(row: ReturnType<PanelPage['row']>): Promise<void> {
    await row.getByRole('button', { expanded: false }).click();
    await row.getByRole('button', { expanded: true }).waitFor();
  }
});

function model(seq: number): Row {
  return {
    ...{ ...messageRow(seq, ''), kind: 'model', type: 'span.model_request_start', summary: '', ended: true, isError: false },
    endSeq: seq + 1,
  };
}

function session(): Row[] {
  return [
    messageRow(0, 'Look at the notes.', { kind: 'user' }),
    model(1),
    messageRow(3, 'I look.'),
    toolRow(4, { result: { parts: [textPart(hostile)], isError: false, seq: 5, at: undefined } }),
    model(6),
  ];
}
