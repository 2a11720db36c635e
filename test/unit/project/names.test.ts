import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readSources } from './sourceFile';

const sources = readSources();

/** What a file's name may leave of the name of the one thing that it gives: a verb before it, or what kind of thing that is behind it. */
const verb =
  /^(?:create|to|register|use|read|add|new|find|count|is|check|convert|fetch|show|run|ask|make|describe|write|compare|export|handle|set|note|toggle|choose|pick|take|parse)(?=[A-Z])/;
const kind = /(?:of|schema|routes|view|section|row)$/;
/** What a file's name may add: what such files are called everywhere. */
const added = /(?:presentation|commands?|messages|guide)$/;

/** Files of one export that are still called something else; none comes to them. */
const others = 49;

describe('project/names', () => {
  it('names a file with one exported value for it', () => {
    const named = [...sources].flatMap(([path, { text }]) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const values = [...text.matchAll(/^export (?:async )?(?:abstract )?(?:function\*?|class|const|enum)\s+([A-Za-z_$][\w$]*)/gm)];
      const types = [...text.matchAll(/^export (?:interface|type)\s+([A-Za-z_$][\w$]*)/gm)].map(([, type = '']) => type);
      const value = values[0]?.[1];
      return value === undefined || values.length > 1 || name === 'index' || path.startsWith('jsonl/wasm/')
        ? []
        : [{ path, value, isFit: [value, ...types].some(one => fits(name, one)) }];
    });
    const unfit = named.filter(({ isFit }) => !isFit).map(({ path, value }) => `${path}: ${value}`);
    assert.ok(named.length > 400);
    assert.ok(unfit.length <= others, `${unfit.length} files are named for something else than what they export:\n${unfit.join('\n')}`);
  });

  it('lets every unit test say in its name what of the sources it is about', () => {
    const folders = new Set([...sources.keys()].flatMap(path => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))));
    const lost: string[] = [];
    for (const file of readdirSync('test/unit', { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.test.ts')) {
        continue;
      }
      const own = file.replaceAll('\\', '/').replace(/(?:\.\w+)?\.test\.ts$/, '');
      const titles = [...readFileSync(`test/unit/${file}`, 'utf8').matchAll(/^describe\w*\(\s*['`"]([\w/]+)/gm)].map(
        ([, title = '']) => title,
      );
      const isTwin = sources.has(own) || own.startsWith('project/');
      const known = titles.every(title => title === own || sources.has(title) || folders.has(title));
      if (titles.length === 0 || !known || (isTwin && !titles.includes(own))) {
        lost.push(`${file}: ${titles.join(', ')}`);
      }
    }
    assert.deepEqual(lost, []);
  });
});

function fits(name: string, value: string): boolean {
  const [short, whole] = [name.toLowerCase(), value.toLowerCase()];
  const cores = [
    whole,
    value.replace(verb, '').toLowerCase(),
    whole.replace(kind, ''),
    value.replace(verb, '').toLowerCase().replace(kind, ''),
  ];
  return cores.some(core => [short, short.replace(added, '')].some(one => one === core || `${one}s` === core || one === `${core}s`));
}
