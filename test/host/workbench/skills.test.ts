import assert from 'node:assert/strict';
import { versionKey } from '../../../src/client/schemas/skillKeys';
import { manifestText, skillFiles } from '../../helpers/skillFiles';
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
const difference = (name: string) => `.multiDiffEntry .header:has-text(${JSON.stringify(name)})`;

describe('skills', () => {
  const emulator = useEmulator({ key });
  const client = useClient(emulator);
  const workbench = useWorkbench(() => ({
    settings: { ...connectedTo(emulator()), 'files.autoSave': 'off' },
    files: {
      [manifest]: manifestText('Changelog Writer', body),
      [`${folder}/docs/guide.md`]: '# Guide\n',
      [`${folder}/scripts/collect.py`]: 'print("collected")\n',
      [`${folder}/node_modules/left/index.js`]: 'out\n',
    },
  }));

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const unfold = (row: string, below: RegExp) => workbench().unfold(row, item(below));
  const skills = async () => (await client().skills.list()).items;
  /** Writes the file and shows it as it then stands. */
  const write = async (text: string, held: string) => {
    workbench().writeFile(manifest, text);
    await workbench().openFile(manifest);
    await workbench().activeText(held);
  };

  it('shows what is wrong while it is typed', async () => {
    await workbench().setKey(key);
    await workbench().openFile(manifest);
    await workbench().command('workbench.actions.view.problems');
    await workbench().waitFor(problem('lowercase letters, digits'));
    await workbench().command('workbench.action.focusActiveEditorGroup');
    await workbench().goTo(2, 'name: '.length + 1);
    await workbench().command('cursorEndSelect');
    await workbench().type('changelog');
    await workbench().waitFor(problem('the folder is changelog-writer'));
    await workbench().command('cursorBottom');
    await workbench().type('See [more](docs/gone.md) and [all](../all.md).\n');
    await workbench().waitFor(problem('docs/gone.md'));
    await workbench().waitFor('.squiggly-error');
    await workbench().waitFor(problem('The link leads out of the folder'));
    // Newer VS Codes say it themselves.
    assert.equal((await workbench().texts(problem('docs/gone.md'))).length, 1);
    await workbench().pictures('skill-problems');
    await workbench().revert();
  });

  it('sends nothing of a skill that no service takes', async () => {
    await workbench().openFile(manifest);
    await workbench().codeLens('Upload as New Skill', workbench().toast('was not uploaded'));
    assert.deepEqual(await skills(), []);
  });

  it('uploads a folder as a new skill, once it was asked, and the row is there', async () => {
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Resources');
    await unfold('Skills', /^No skills yet/);
    await write(manifestText('changelog-writer', body), 'changelog-writer');
    await workbench().codeLens('Upload as New Skill', dialog);
    const asked = await workbench().dialogText();
    for (const words of ['as a new skill?', 'Connection: Lab (127.0.0.1', `Folder: ${folder}`, '3 files', 'Left out: node_modules']) {
      assert.ok(asked.includes(words), asked);
    }
    await workbench().screenshot('skill-upload');
    await workbench().dialogButton('Upload Skill');
    await workbench().toast('Uploaded the skill changelog-writer').waitFor();
    await item(/^changelog-writer, now/).waitFor();
    await workbench().waitFor(lens('Compare with Latest'));
    assert.equal(await workbench().count(lens('Upload as New Skill')), 0);
    const [skill] = await skills();
    assert.equal(skill?.display_title, 'changelog-writer');
    await workbench().pictures('skill-uploaded');
  });

  it('compares the folder with the latest version, file by file', async () => {
    await write(manifestText('changelog-writer', `${body}\nBe brief.\n`), 'Be brief');
    workbench().writeFile(`${folder}/docs/more.md`, '# More\n');
    await workbench().codeLens('Compare with Latest', difference('more.md'));
    await workbench().waitFor(difference('SKILL.md'));
    assert.equal(await workbench().count(difference('guide.md')), 0);
    // One file with two states, not one that was renamed.
    assert.equal(await workbench().count(difference('skillVersion')), 0);
    await workbench().pictures('skill-compare');
  });

  it('uploads a new version, which is the latest then', async () => {
    await workbench().openFile(manifest);
    await workbench().codeLens('Upload as New Version', dialog);
    assert.match(await workbench().dialogText(), /as a new version of the skill changelog-writer\?[\s\S]*4 files/);
    await workbench().dialogButton('Upload Version');
    await workbench().toast('Uploaded a new version of changelog-writer').waitFor();
    const [skill] = await skills();
    const { items } = await client()
      .skills.versions(skill?.id ?? '')
      .list();
    assert.equal(items.length, 2);
    await workbench().clearNotifications();
    await workbench().codeLens('Compare with Latest', workbench().toast('the same as the latest version'));
  });

  it('unfolds a version to its files, which open to read', async () => {
    await workbench().command('managedAgents.resources.refresh');
    await unfold('changelog-writer', /^\d+, latest/);
    await unfold('latest', /^SKILL\.md/);
    await unfold('scripts', /^collect\.py/);
    await workbench().pictures('skill-versions');
    await workbench().clickTreeRow('collect.py', tabOf('collect.py'));
    assert.equal(await workbench().activeText('collected'), 'print("collected")\n');
    await assert.rejects(workbench().type('x'), /changed nothing/);
  });

  it('asks before it deletes a version, and says which agents use it', async () => {
    const [skill] = await skills();
    const { items } = await client()
      .skills.versions(skill?.id ?? '')
      .list();
    const [latest, first] = items.map(versionKey);
    const used = { type: 'custom', skill_id: skill?.id, version: first };
    await client().agents.create({ name: 'Historian', model: 'vendor-sonnet-5', skills: [used] });
    await workbench().command('managedAgents.resources.refresh');
    await item(new RegExp(`^${first}`)).waitFor();
    await workbench().treeMenu('changelog-writer', 'Show Resource Details', '.tab.active:has-text("Preview")');
    await workbench().webview('td:has-text("Historian (pinned to")');
    await workbench().treeMenu(first ?? '', 'Delete Resource', dialog);
    const asked = await workbench().dialogText();
    assert.ok(asked.includes(`Historian (pinned to ${first})`) && asked.includes('cannot be undone'), asked);
    await workbench().screenshot('skill-delete');
    await workbench().dialogButton('Delete Version');
    await item(new RegExp(`^${first}`)).waitFor({ state: 'hidden' });
    assert.deepEqual(
      (
        await client()
          .skills.versions(skill?.id ?? '')
          .list()
      ).items.map(versionKey),
      [latest],
    );
  });

  it('cancels an upload that takes too long, and sends it no second time', async () => {
    const uploads = () => emulator().requests.filter(({ method, path }) => method === 'POST' && /^\/v1\/skills(?:\?|$)/.test(path)).length;
    const [before, sentBefore] = [(await skills()).length, uploads()];
    workbench().writeFile('skills/slow/SKILL.md', manifestText('slow'));
    emulator().setScenario({ faults: [{ name: 'stall', route: 'skills.create' }] });
    await workbench().openFile('skills/slow/SKILL.md');
    await workbench().codeLens('Upload as New Skill', dialog);
    await workbench().dialogButton('Upload Skill');
    await workbench().notificationButton('Uploading slow to Lab', 'Cancel');
    await workbench().toast('The upload was canceled').waitFor();
    emulator().setScenario({ faults: [] });
    assert.equal((await skills()).length, before);
    assert.equal(uploads(), sentBefore + 1);
  });

  it('says that a skill is gone, and lets the folder be uploaded as a new one', async () => {
    const [skill] = await skills();
    await client().skills.delete(skill?.id ?? '');
    await workbench().openFile(manifest);
    await workbench().codeLens('Upload as New Version', workbench().toast('is no longer on the service'));
    await workbench().waitFor(lens('Upload as New Skill'));
    await client().skills.create({ files: skillFiles('other', { 'SKILL.md': manifestText('other') }), title: 'Other' });
    await workbench().command('managedAgents.resources.refresh');
    await item(/^Other/).waitFor();
  });
});
