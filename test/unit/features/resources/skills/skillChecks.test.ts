import assert from 'node:assert/strict';
import { checkFiles, checkManifest, findSecrets, type SkillFinding } from '../../../../../src/features/resources/skills/skillChecks';
import { manifestText } from '../../../../helpers/skillFiles';
import { context } from '../presenting';

const { translate } = context;
const paths = ['SKILL.md', 'docs/guide.md', 'docs/größe 1.md', 'scripts/run.py'];
const ofBody = (body: string) => checkManifest(manifestText('my-skill', body), 'my-skill', paths, translate);
const codes = (findings: readonly SkillFinding[]) => findings.map(({ code, severity }) => `${severity} ${code}`);

describe('features/resources/skills/skillChecks', () => {
  it('finds no problems in a valid skill', () => {
    assert.deepEqual(ofBody('# How\n\nSee [the guide](docs/guide.md).\n'), []);
    assert.deepEqual(checkFiles([{ path: 'SKILL.md', bytes: 100 }], true, translate), []);
  });

  it('describes problems of the front matter', () => {
    const findingsOf = (text: string) =>
      checkManifest(text, 'my-skill', paths, translate).map(({ message, severity }) => [severity, message]);
    assert.deepEqual(findingsOf('# No\n'), [['error', 'Start with front matter: ---, name and description, ---']]);
    assert.deepEqual(findingsOf(manifestText('other')), [['error', 'The name other must match the folder my-skill']]);
    assert.deepEqual(findingsOf(manifestText('My Skill')), [['error', 'Use lowercase letters, digits and single hyphens']]);
    assert.deepEqual(findingsOf(manifestText('my-skill', '', 'x'.repeat(1025))), [
      ['error', 'Use at most 1024 characters instead of 1025'],
    ]);
    assert.match(findingsOf('---\nname: my-skill\ndescription: Use it when: now\n---\n')[0]?.[1] ?? '', /^Invalid YAML: /);
  });

  it('finds links to missing files, with their positions, and ignores others', () => {
    const text = manifestText(
      'my-skill',
      [
        '[a](docs/guide.md) [b](./docs/guide.md#part) [c](docs) [d](docs/) ![e](scripts/run.py "t") [f](<docs/größe 1.md>) [g](docs/gr%C3%B6%C3%9Fe%201.md)',
        '[h](https://example.com/x) [i](#part) [j](mailto:a@example.com) [k](/abs) [l]({place}) [m]() [n](.)',
        '`[o](nowhere.md)`',
        '```md',
        '[p](nowhere.md)',
        '```',
        '~~~',
        '```',
        '[q](nowhere.md)',
        '~~~',
        '[dead](docs/gone.md) ![out](../other/x.md) [up](docs/../../x)',
      ].join('\n'),
    );
    const found = checkManifest(text, 'my-skill', paths, translate);
    assert.deepEqual(
      found.map(({ code, start, end }) => [code, text.slice(start, end)]),
      [
        ['deadLink', 'docs/gone.md'],
        ['linkOutside', '../other/x.md'],
        ['linkOutside', 'docs/../../x'],
      ],
    );
    assert.equal(found[0]?.message, 'File not found: docs/gone.md');
  });

  it('finds keys without showing them', () => {
    const key = `sk-live-${'a1B2c3D4e5'.repeat(4)}`;
    const [found, ...others] = findSecrets('a.py', `KEY = "${key}"\nmail = "jane@company.com"\n`, translate);
    assert.deepEqual([others.length, found?.code, found?.severity, found?.path], [0, 'secret', 'warning', 'a.py']);
    assert.ok(found !== undefined && !found.message.includes(key.slice(4)), found?.message);
  });

  it('reports empty and oversized files, and too large a total', () => {
    const large = 8 * 1024 * 1024;
    const files = [
      { path: 'SKILL.md', bytes: 100 },
      { path: 'empty.txt', bytes: 0 },
      { path: 'docs/all.md', bytes: 600_000 },
      { path: 'model.bin', bytes: large },
    ];
    assert.deepEqual(codes(checkFiles(files, false, translate)), [
      'error tooManyFiles',
      'error packageTooLarge',
      'warning emptyFile',
      'warning largeText',
    ]);
    assert.deepEqual(codes(checkFiles([{ path: 'SKILL.md', bytes: large }], true, translate)), ['warning largeText']);
  });

  it('rejects names that would change during the upload', () => {
    const named = (path: string) => codes(checkFiles([{ path, bytes: 1 }], true, translate));
    for (const path of ['a"b.md', 'a\\b.md', 'a\nb.md', 'a\u0007b.md']) {
      assert.deepEqual(named(path), ['error fileName'], path);
    }
    assert.deepEqual(named("docs/größe (1) 'x' – 価格 😀.md"), []);
  });
});
