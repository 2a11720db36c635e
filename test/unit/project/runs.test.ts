import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runs, someOf } from '../../helpers/runs';
import { briefOnFloor, chooseHostFiles, longFormOnly, newestOnly, waiting } from '../../host/hostFiles.mjs';
import { listTestFiles, notQuick } from '../../runner/nodeTasks.mjs';

const isLong = process.env.TEST_LONG === 'yes';

describe('project/runs', () => {
  it('runs every case, the short form a thirtieth and at least twenty, or as many as a test says', () => {
    const counts = [runs(3000), runs(300), runs(9), runs(400, 8), runs(4, 8)];
    assert.deepEqual(counts, isLong ? [3000, 300, 9, 400, 4] : [100, 20, 9, 8, 4]);
  });

  it('takes every case of a list, the short form some from its first to its last', () => {
    const all = Array.from({ length: 31 }, (_, index) => index);
    assert.deepEqual(someOf(all, 4), isLong ? all : [0, 10, 20, 30]);
    assert.deepEqual(someOf(all, 1), isLong ? all : [0, 30]);
    assert.deepEqual([someOf(all.slice(0, 3), 9), someOf(['one'], 5), someOf([], 5)], [[0, 1, 2], ['one'], []]);
  });

  it('is looked for in the files that say a full count', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'long-form-'));
    try {
      mkdirSync(path.join(folder, 'deep'));
      writeFileSync(path.join(folder, 'deep/much.test.ts'), "import { runs } from '../../../helpers/runs';\n");
      writeFileSync(path.join(folder, 'some.test.ts'), "import { runs, someOf } from '../helpers/runs';\n");
      writeFileSync(path.join(folder, 'runs.test.ts'), "it('runs(300)', () => {});\n");
      writeFileSync(path.join(folder, 'no test.ts'), "import { runs } from '../helpers/runs';\n");
      assert.deepEqual(listTestFiles(folder, { only: '', isRest: true, isQuick: false }), ['deep/much.test.ts', 'some.test.ts']);
      assert.deepEqual(listTestFiles(folder, { only: 's.test', isRest: false, isQuick: false }), ['runs.test.ts']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is quick without some files, unless one asks for them', () => {
    const kinds = ['unit', 'contract'];
    const list = (isQuick: boolean, only = '') =>
      kinds.flatMap(kind => listTestFiles(path.resolve('test', kind), { only, isRest: false, isQuick }).map(file => `${kind}/${file}`));
    assert.deepEqual([...list(true), ...notQuick].sort(), list(false).sort());
    assert.deepEqual(list(true, 'batches/crash'), ['contract/batches/crash.test.ts']);
  });

  it('drives some journeys alone, and `npm test` and the rest are the whole between them', () => {
    const files = readdirSync(path.resolve('test/host'), { recursive: true, encoding: 'utf8' }).map(file => file.replaceAll(path.sep, '/'));
    const usual = { kind: 'host', only: '', isBrief: false, isLong: false, isRest: false };
    const whole = chooseHostFiles(files, { ...usual, isLong: true });
    const short = chooseHostFiles(files, usual);
    const rest = chooseHostFiles(files, { ...usual, isRest: true });
    assert.deepEqual([...short, ...rest].sort(), whole);
    assert.deepEqual(rest, [...longFormOnly]);
    assert.deepEqual(chooseHostFiles(files, { ...usual, only: rest[0] ?? '' }), rest.slice(0, 1));
  });

  it('names only files that exist', () => {
    const named = [...[...longFormOnly, ...newestOnly, ...briefOnFloor, ...waiting].map(name => `host/${name}`), ...notQuick];
    assert.deepEqual(
      named.filter(name => !existsSync(path.resolve('test', name))),
      [],
    );
  });

  it('is said by test files themselves, where the runner finds it', () => {
    const root = path.resolve('test');
    const hidden = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      file => file.endsWith('.ts') && !file.endsWith('.test.ts') && /helpers\/runs'/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    assert.deepEqual(hidden, []);
  });
});
