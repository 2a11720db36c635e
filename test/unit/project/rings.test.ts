import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files that each file imports, including type imports and dynamic imports. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Folders of a room that import each other, directly or through other folders. Remove resolved rings from this list. */
const knownFolderRings: readonly string[] = [];

describe('imports', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(file => `src/${file.replaceAll(path.sep, '/')}`)
    // The files of the AssemblyScript parser import each other, because its functions are recursive.
    .filter(file => /\.tsx?$/.test(file) && !file.startsWith('src/jsonl/wasm/'));
  const known = new Set(files);
  const graph: Graph = new Map(
    files.map(file => {
      const asked = specifiersIn(readFileSync(file, 'utf8')).map(specifier => path.posix.join(path.posix.dirname(file), specifier));
      return [file, asked.flatMap(base => [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find(one => known.has(one)) ?? [])];
    }),
  );

  it('are found in each form', () => {
    const source = [
      "import { a } from './a';\nimport type { B } from '../b';\nimport {\n  c,\n  type D,\n} from './c';\nimport './e';\n",
      "export * from './f';\nexport type { G } from './g';\nimport * as h from 'h';\n",
      "const i: typeof import('./i') = await import('./j');\n",
    ].join('');
    assert.deepEqual(specifiersIn(source), ['./a', '../b', './c', './e', './f', './g', './i', './j']);
  });

  it('form no ring of more than three files', () => {
    assert.ok(graph.size > 1000 && [...graph.values()].flat().length > 5000);
    assert.deepEqual(
      ringsIn(graph).filter(ring => ring.length > 3),
      [],
    );
  });

  it("form no other ring of a room's folders", () => {
    const rooms = new Map<string, Map<string, string[]>>();
    for (const [file, imported] of graph) {
      const [room, folder] = toRoom(file);
      const folders = rooms.get(room) ?? new Map<string, string[]>();
      const others = imported.map(toRoom).flatMap(([other, name]) => (other === room && name !== folder ? [name] : []));
      folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
      rooms.set(room, folders);
    }
    const rings = [...rooms].flatMap(([room, folders]) => {
      folders.delete('');
      return ringsIn(folders).map(ring => `${room}: ${ring.join(' ')}`);
    });
    assert.deepEqual(rings.sort(), knownFolderRings);
  });
});

function specifiersIn(source: string): readonly string[] {
  const form = /^(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
  return [...source.matchAll(form)].map(([, from, called]) => from ?? called ?? '');
}

/** Returns the room of a file, and the file's folder in the room. The folder is empty for files directly in the room. */
function toRoom(file: string): readonly [room: string, folder: string] {
  const [, room = '', rest = ''] = /^(src\/features\/\w+|src\/\w+|src)\/(.*)$/.exec(file) ?? [];
  return [room, rest.includes('/') ? (rest.split('/')[0] ?? '') : ''];
}

/** Returns the groups of nodes that reach each other, by Tarjan's algorithm. Each group is sorted. */
function ringsIn(graph: Graph): readonly (readonly string[])[] {
  const rings: (readonly string[])[] = [];
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    const index = lowest.size;
    lowest.set(node, index);
    open.push(node);
    let low = index;
    for (const next of graph.get(node) ?? []) {
      const isNew = !lowest.has(next);
      const reached = isNew ? visit(next) : (lowest.get(next) ?? 0);
      low = isNew || open.includes(next) ? Math.min(low, reached) : low;
    }
    lowest.set(node, low);
    if (low === index) {
      const ring = open.splice(open.indexOf(node));
      if (ring.length > 1) {
        rings.push(ring.sort());
      }
    }
    return low;
  };
  for (const node of graph.keys()) {
    if (!lowest.has(node)) {
      visit(node);
    }
  }
  return rings;
}
