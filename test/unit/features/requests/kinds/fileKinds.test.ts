import assert from 'node:assert/strict';
import { FileKinds } from '../../../../../src/features/requests/kinds/fileKinds';

const request = '{"custom_id":"a","params":{}}';
const result = '{"custom_id":"a","result":{}}';

describe('features/requests/kinds/fileKinds', () => {
  function start(files: Record<string, string>) {
    const reported: [kind: string, paths: readonly string[]][] = [];
    const reads: string[] = [];
    const kinds = new FileKinds(
      async path => {
        reads.push(path);
        const text = files[path];
        if (text === undefined) {
          throw new Error(`ENOENT ${path}`);
        }
        return text.split('\n');
      },
      (kind, paths) => reported.push([kind, paths]),
    );
    return { kinds, reported, reads, files };
  }

  it('classifies files of each kind, whatever their names', async () => {
    const { kinds, reported } = start({ '/b.jsonl': request, '/a.jsonl': request, '/r.jsonl': result, '/log.jsonl': 'words' });
    await kinds.find('/b.jsonl', '/r.jsonl', '/log.jsonl', '/a.jsonl', '/gone.jsonl');
    assert.deepEqual(reported, [
      ['requests', ['/a.jsonl', '/b.jsonl']],
      ['results', ['/r.jsonl']],
    ]);
  });

  it('recognizes rows and templates by their names, without reading them, and empty JSON Lines as empty', async () => {
    const { kinds, reported, reads } = start({ '/e.jsonl': '\ufeff\n \n', '/e.json': '' });
    await kinds.find('/rows.csv', '/a.batch-template.json', '/e.jsonl', '/e.json');
    assert.deepEqual(reported, [
      ['rows', ['/a.batch-template.json', '/rows.csv']],
      ['empty', ['/e.jsonl']],
    ]);
    assert.deepEqual(reads, ['/e.jsonl', '/e.json']);
  });

  it("fires again when a file's kind changed, and only then", async () => {
    const { kinds, reported, files } = start({ '/a.jsonl': request });
    await kinds.find('/a.jsonl');
    reported.length = 0;
    await kinds.find('/a.jsonl');
    assert.deepEqual(reported, []);
    files['/a.jsonl'] = result;
    await kinds.find('/a.jsonl');
    assert.deepEqual(reported, [
      ['requests', []],
      ['results', ['/a.jsonl']],
    ]);
    delete files['/a.jsonl'];
    await kinds.find('/a.jsonl');
    assert.deepEqual(reported.at(-1), ['results', []]);
  });

  it('reads a file once for repeated requests, and settles them together', async () => {
    const { kinds, reported, reads } = start({ '/a.jsonl': request, '/b.jsonl': request });
    await Promise.all([kinds.find('/a.jsonl', '/b.jsonl'), kinds.find('/b.jsonl'), kinds.find('/b.jsonl')]);
    assert.deepEqual(reads, ['/a.jsonl', '/b.jsonl']);
    assert.deepEqual(reported, [['requests', ['/a.jsonl', '/b.jsonl']]]);
  });

  it('reports partial results while thousands of files wait, and nothing after it was disposed', async () => {
    const names = Array.from({ length: 450 }, (_, index) => `/${index}.jsonl`);
    const { kinds, reported } = start(Object.fromEntries(names.map(name => [name, request])));
    await kinds.find(...names);
    assert.deepEqual(
      reported.map(([, paths]) => paths.length),
      [200, 400, 450],
    );
    kinds.dispose();
    await kinds.find('/gone.jsonl', '/0.jsonl');
    assert.equal(reported.length, 3);
  });
});
