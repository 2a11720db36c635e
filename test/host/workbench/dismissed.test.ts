import assert from 'node:assert/strict';
import { picker } from '../quickInputs.mjs';
import { connectedTo, useEmulator } from './emulator';
import { useWorkbench } from './workbench';

const keyBox = `${picker} input[type="password"]`;
const params = { model: 'vendor-sonnet-5', max_tokens: 64, messages: [{ role: 'user', content: 'Say hello.' }] };

describe('what the user turned back from', () => {
  const emulator = useEmulator({ key: 'key-of-the-tests' });
  const workbench = useWorkbench(() => ({
    files: { 'asked.jsonl': `${JSON.stringify({ custom_id: 'asked', params })}\n` },
    settings: connectedTo(emulator()),
  }));

  it('is not sent when the key that it lacked is given right after', async () => {
    await workbench().openFile('asked.jsonl');
    await workbench().codeLens('Run This Request', keyBox);
    await workbench().closePicker();
    await workbench().setKey('key-of-the-tests');
    await workbench().codeLens('Run This Request', '.tab[data-resource-name="Answer to asked.md"]');
    await workbench().waitFor('.view-line:has-text("Finished (end_turn)")');
    const sent = emulator().requests.filter(({ method, path }) => method === 'POST' && path.startsWith('/v1/messages'));
    assert.equal(sent.length, 1);
  });
});
