import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readSkillManifest } from '../../../src/contract/skillManifest';
import { anyCharacter } from '../../helpers/anyCharacter';
import { runs } from '../../helpers/runs';

describe('contract/skillManifest', () => {
  const codes = (text: string, folder?: string) => readSkillManifest(text, folder).issues.map(({ code }) => code);
  const front = (yaml: string, body = '# How\n') => `---\n${yaml}\n---\n${body}`;

  it('reads name and description in every YAML form of a string', () => {
    for (const yaml of [
      'name: my-skill\ndescription: Does it',
      'description: "Does it"\nname: \'my-skill\' # why',
      'license: MIT\nname: my-skill\ndescription: >-\n  Does\n  it\nmetadata:\n  a: [1, 2]',
      'name: my-skill\r\ndescription: Does it\r',
      'allowed-tools: Bash(git *)\nname:   my-skill\ndescription: |\n  Does it',
    ]) {
      const { name, description, issues } = readSkillManifest(front(yaml), 'my-skill');
      assert.deepEqual([name, description, issues], ['my-skill', 'Does it', []], yaml);
    }
    assert.deepEqual(codes('\ufeff---\r\nname: a\r\ndescription: b\r\n---\r\n', 'a'), []);
    assert.equal(readSkillManifest(front('name: 2024\ndescription: b')).name, '2024');
  });

  it('reports each broken rule at its position', () => {
    const cases: readonly (readonly [text: string, code: string, place: string])[] = [
      ['# No front matter\nx', 'frontMatterMissing', '# No front matter'],
      ['', 'frontMatterMissing', ''],
      ['---\nname: a\n', 'frontMatterOpen', '---'],
      [`---\n${'# x\n'.repeat(20_000)}---\n`, 'frontMatterLong', '---'],
      [front('name: a\ndescription: Use it when: you can'), 'frontMatterBroken', 'description: Use it when: you can'],
      [front('name: a\nname: b\ndescription: c'), 'frontMatterBroken', 'name: b'],
      [front('description: b'), 'nameMissing', '---'],
      [front('name:\ndescription: b'), 'nameMissing', '---'],
      [front('name: [a]\ndescription: b'), 'nameMissing', '---'],
      [front('- name: a\n- description: b'), 'nameMissing', '---'],
      [front('name: A b\ndescription: b'), 'nameForm', 'A b'],
      [front('name: a--b\ndescription: b'), 'nameForm', 'a--b'],
      [front('name: "-a"\ndescription: b'), 'nameForm', '"-a"'],
      [front('name: größe\ndescription: b'), 'nameForm', 'größe'],
      [front(`name: ${'a'.repeat(65)}\ndescription: b`), 'nameLong', 'a'.repeat(65)],
      [front('name: b\ndescription: b'), 'nameFolder', 'b'],
      [front('name: a'), 'descriptionMissing', '---'],
      [front('name: a\ndescription: "  "'), 'descriptionMissing', '---'],
      [front(`name: a\ndescription: ${'x'.repeat(1025)}`), 'descriptionLong', 'x'.repeat(1025)],
    ];
    for (const [text, code, place] of cases) {
      const [issue] = readSkillManifest(text, 'a').issues;
      assert.equal(issue?.code, code, text.slice(0, 60));
      assert.equal(text.slice(issue?.start, issue?.end), place, `${code} ${text.slice(0, 60)}`);
    }
    assert.deepEqual(codes(front(`name: ${'a'.repeat(64)}\ndescription: ${'x'.repeat(1024)}`)), []);
  });

  it('reports both missing fields, and the start of the body', () => {
    assert.deepEqual(codes(front('license: MIT')), ['nameMissing', 'descriptionMissing']);
    const text = front('name: a\ndescription: b', 'Body\n---\n');
    assert.equal(text.slice(readSkillManifest(text).bodyStart), '\nBody\n---\n');
  });

  it('parses any text without throwing, with positions inside the text', () => {
    const parts = ['---\n', 'name: ', 'description: ', '&a ', '*a', '<<: ', '\n---\n', '!!set ', '"', '\n', '? ', '- ', '\r\n', '|\n '];
    const text = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...parts) }, anyCharacter), { maxLength: 14 });
    fc.assert(
      fc.property(text, pieces => {
        const whole = `---\n${pieces.join('')}`;
        for (const { start, end } of readSkillManifest(whole, 'a').issues) {
          assert.ok(start >= 0 && start <= end && end <= whole.length);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});
