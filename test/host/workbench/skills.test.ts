import assert from 'node:assert/strict';
import { manifestText, skillFiles } from '../../helpers/skillFiles';
import { eventually } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { tabOf, useWorkbench } from './workbench';

const key = 'local-test-key-0021';
const dialog = '.monaco-dialog-box';
const folder = 'skills/changelog-writer';
const manifest = `${folder}/SKILL.md`;
const body = '\n# How\n\nRead [the guide](docs/guide.md), then run `scripts/collect.py`.\n';
const lens = (title: string) => `.codelens-decoration a:has-text(${JSON.stringify(title)})`;
const problem = (words: string) => `.markers-panel .monaco-list-row:has-text(${JSON.stringify(words)})`;

describe('skills @nightly', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: { ...connectedTo(emulator()), 'files.autoSave': 'off' },
    files: {
      [manifest]: manifestText('Changelog Writer', body),
      [`${folder}/docs/guide.md`]: '# Guide\n',
      [`${folder}/scripts/collect.py`]: 'print("collected")\n',
    },
  }));

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const unfold = (row: string, below: RegExp) => workbench().unfold(row, item(below));
  const skills = async () => (await client().skills.list()).items;
  before('show the view', async () => {
    await workbench().setKey(key);
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
  });

  it('shows errors while typing, and sends nothing invalid', async () => {
    await workbench().openFile(manifest);
    await workbench().command('workbench.actions.view.problems');
    await workbench().waitFor(problem('lowercase letters'));
    await workbench().command('workbench.action.focusActiveEditorGroup');
    await workbench().goTo(2, 'name: '.length + 1);
    await workbench().command('cursorEndSelect');
    await workbench().type('changelog');
    await workbench().waitFor(problem('changelog-writer'));
    await workbench().waitFor('.squiggly-error, .squiggly-warning');
    // Newer versions of VS Code report the same problem, which must appear only once.
    await eventually(async () => {
      const rows = await workbench().texts('.markers-panel .monaco-list-row');
      return rows.filter(row => /should match the folder|must match the folder/.test(row)).length === 1;
    });
    await workbench().screenshot('skill-problems');
    await workbench().revert();
    await workbench().codeLens('Upload as New Skill', workbench().toast('was not uploaded'));
    assert.deepEqual(await skills(), []);
  });

  it('expands a version to its files, which open to read', async () => {
    const files = { 'SKILL.md': manifestText('collector'), 'scripts/collect.py': 'print("collected")\n' };
    await client().skills.create({ files: skillFiles('collector', files), title: 'Collector' });
    await workbench().command('managedAgents.refresh');
    await unfold('Skills', /^Collector/);
    await unfold('Collector', /^\d+, latest/);
    await unfold('latest', /^SKILL\.md/);
    await unfold('scripts', /^collect\.py/);
    await workbench().screenshot('skill-versions');
    await workbench().clickTreeRow('collect.py', tabOf('collect.py'));
    assert.equal(await workbench().activeText('collected'), 'print("collected")\n');
    await assert.rejects(workbench().type('x'), /changed nothing/);
  });

  it("cancels an upload that takes too long, and doesn't retry it", async () => {
    const uploads = () => emulator().requests.filter(({ method, path }) => method === 'POST' && /^\/v1\/skills(?:\?|$)/.test(path)).length;
    const [before, sentBefore] = [(await skills()).length, uploads()];
    workbench().writeFile('skills/slow/SKILL.md', manifestText('slow'));
    emulator().setScenario({ faults: [{ name: 'stall', route: 'skills.create' }] });
    await workbench().openFile('skills/slow/SKILL.md');
    await workbench().codeLens('Upload as New Skill', dialog);
    await workbench().dialogButton('Upload');
    await workbench().notificationButton('Uploading slow to Lab', 'Cancel');
    await workbench().toast('The upload was canceled').waitFor();
    emulator().setScenario({ faults: [] });
    assert.equal((await skills()).length, before);
    assert.equal(uploads(), sentBefore + 1);
  });

  it('reports a deleted skill, and uploads the folder as a new one', async () => {
    workbench().writeFile(manifest, manifestText('changelog-writer', body));
    await workbench().openFile(manifest);
    await workbench().activeText('name: changelog-writer');
    await workbench().codeLens('Upload as New Skill', dialog);
    await workbench().dialogButton('Upload');
    await workbench().toast('Uploaded changelog-writer').waitFor();
    const skill = (await skills()).find(({ display_title: title }) => title === 'changelog-writer');
    await client().skills.delete(skill?.id ?? '');
    await workbench().codeLens('Upload as New Version', workbench().toast('is no longer on the service'));
    await workbench().waitFor(lens('Upload as New Skill'));
  });
});
