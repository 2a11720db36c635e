// Joins the hundreds of chunks that splitting makes into a few files, so that what is first used reads one or two of them: each file
// of a module graph costs, on a slow disk or a remote host most of all.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Least bytes of what two rooms share for a file of its own; less goes where everything shared goes. */
const leastOfTwo = 40_000;

/**
 * @typedef {object} Joining
 * @property {string} prefix of the names of the files
 * @property {Readonly<Record<string, string>>} rooms by how the path of a source begins that is imported dynamically; another's room
 * is its feature, or its folder in `src`
 * @property {readonly string[]} apart large packages that much does without: what needs one never shares a file with what does not
 * @property {'esm' | 'cjs'} format of the joined files; CommonJS files end in `.cjs`
 */

/**
 * Joins the chunks of a build with splitting, on the disk and in its metafile:
 *
 * - what a sole entry point loads at once is one file, `core`;
 * - what one room alone reaches is in the room's file, and what several reach in `shared`, or in theirs when two share much;
 * - each of these again for what needs a package that stands apart.
 *
 * No ring of files comes of it: whatever a chunk imports is reached by all rooms that reach the chunk, and needs no package that the
 * chunk does not need.
 * @param {import('esbuild').BuildOptions} options of the build
 * @param {import('esbuild').Metafile} metafile
 * @param {Joining} joining
 */
export async function joinChunks({ minify, sourcemap, target, entryPoints, absWorkingDir }, { outputs }, joining) {
  const onDisk = key => path.resolve(absWorkingDir, key);
  const keys = Object.keys(outputs).filter(key => key.endsWith('.js'));
  const entries = keys.filter(key => path.basename(key, '.js') in entryPoints);
  const places = placeChunks(outputs, { keys, entries, joining });
  const { format } = joining;
  const doors = new Doors(new Map(keys.map(key => [key, readFileSync(onDisk(key), 'utf8')])), places);
  const files = groupBy(keys, key => places.get(key));
  const built = await Promise.all(
    [...files].map(([file, parts]) =>
      build({
        stdin: { contents: doors.leadingTo(parts, entries), resolveDir: onDisk(path.dirname(file)) },
        outfile: onDisk(file),
        write: false,
        bundle: true,
        format,
        platform: 'node',
        logLevel: 'warning',
        ...{ minify, sourcemap, target },
        sourcesContent: false,
        plugins: [
          partsOnly(new Map(parts.map(key => [path.basename(key), { file: onDisk(key), code: doors.codeOf(key) }])), helpers[format]),
        ],
      }),
    ),
  );
  for (const key of keys) {
    rmSync(onDisk(key));
    rmSync(`${onDisk(key)}.map`, { force: true });
  }
  for (const { path: file, contents } of built.flatMap(({ outputFiles }) => outputFiles)) {
    writeFileSync(file, contents);
  }
  noteFiles(outputs, { files, places, onDisk });
  for (const key of entries.filter(key => places.get(key) !== key)) {
    const core = places.get(key);
    const entry = toEnding(key, format);
    writeFileSync(onDisk(entry), helpers[format].door(`./${path.posix.relative(path.posix.dirname(key), core)}`));
    outputs[entry] = { bytes: 0, inputs: {}, imports: [{ path: core, kind: 'import-statement' }], exports: [] };
  }
}

/** The file of each chunk. Entries stay where they are, but one from which others take: VS Code may know it by a URL of its own. */
function placeChunks(outputs, { keys, entries, joining: { prefix, rooms: named, apart, format } }) {
  const imported = (key, kind) => outputs[key].imports.filter(one => one.kind === kind && one.path in outputs).map(one => one.path);
  const closures = new Map(keys.map(key => [key, closureOf(key, one => imported(one, 'import-statement'))]));
  const roomOf = source =>
    Object.entries(named).find(([start]) => source.startsWith(start))?.[1] ?? source.match(/^src\/(?:features\/)?(\w+)/)[1];
  const rooms = new Map(keys.map(key => [key, new Set()]));
  for (const root of [...entries, ...keys.flatMap(key => imported(key, 'dynamic-import'))]) {
    for (const key of closures.get(root)) {
      rooms.get(key).add(entries.includes(root) ? root : roomOf(outputs[root].entryPoint));
    }
  }
  const isIn = (name, key) => Object.keys(outputs[key].inputs).some(input => input.includes(`node_modules/${name}/`));
  const packagesOf = key => apart.filter(name => [...closures.get(key)].some(one => isIn(name, one)));
  const sharers = key => [...rooms.get(key)].map(room => path.basename(room, '.js')).sort();
  const ownName = key => [...sharers(key), ...packagesOf(key)].join('-');
  const sizes = new Map(
    [...groupBy(keys, ownName)].map(([name, parts]) => [name, parts.reduce((sum, key) => sum + outputs[key].bytes, 0)]),
  );
  const folder = path.posix.join(path.posix.dirname(entries[0]), 'chunks');
  const placeOf = key => {
    if (entries.length === 1 && closures.get(entries[0]).has(key)) {
      return `${folder}/${prefix}core-${path.posix.basename(entries[0])}`;
    }
    const [room, ...others] = rooms.get(key);
    if (others.length === 0 && entries.includes(room)) {
      return room;
    }
    const isOwn = others.length === 0 || (others.length === 1 && sizes.get(ownName(key)) >= leastOfTwo);
    return `${folder}/${prefix}${isOwn ? ownName(key) : ['shared', ...packagesOf(key)].join('-')}.js`;
  };
  return new Map(keys.map(key => [key, toEnding(placeOf(key), format)]));
}

/** Returns a file name with the extension of its format: Node loads `.js` files in this folder as ES modules. */
function toEnding(file, format) {
  return format === 'cjs' ? file.replace(/\.js$/, '.cjs') : file;
}

function closureOf(start, next) {
  const reached = new Set([start]);
  for (const one of reached) {
    for (const more of next(one)) {
      reached.add(more);
    }
  }
  return reached;
}

function groupBy(all, nameOf) {
  const groups = new Map();
  for (const one of all) {
    groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one]);
  }
  return groups;
}

/** How chunks import from each other across files: by short names, of which each stands once. */
class Doors {
  /** By chunk: the name of each of its exports that another file asks for; `*` is all of them. */
  opened = new Map();
  code = new Map();
  count = 0;

  constructor(sources, places) {
    this.places = places;
    this.keys = new Map([...sources.keys()].map(key => [path.basename(key), key]));
    for (const [key, source] of sources) {
      this.code.set(key, this.rewrite(key, source));
    }
  }

  /** The code of a chunk, with what it takes from other files taken through their doors. */
  codeOf(key) {
    return this.code.get(key);
  }

  /** The code of a file of which these chunks are the parts. */
  leadingTo(parts, entries) {
    return parts
      .flatMap(key => [
        entries.includes(key) ? `export * from './${path.basename(key)}';` : `import './${path.basename(key)}';`,
        ...[...(this.opened.get(key) ?? [])].map(
          ([name, door]) => `export ${name === '*' ? `* as ${door}` : `{ ${name} as ${door} }`} from './${path.basename(key)}';`,
        ),
      ])
      .join('\n');
  }

  doorTo(key, name) {
    const doors = this.opened.get(key) ?? new Map();
    this.opened.set(key, doors);
    doors.set(name, doors.get(name) ?? `$${(this.count++).toString(36)}`);
    return doors.get(name);
  }

  rewrite(from, source) {
    const names = [...this.keys.keys()].map(name => name.replaceAll(/[.$]/g, '\\$&')).join('|');
    const specifier = `"\\.{1,2}/(?:chunks/)?(${names})"`;
    const isElsewhere = to => this.places.get(to) !== this.places.get(from);
    const fileOf = to => {
      const relative = path.posix.relative(path.posix.dirname(this.places.get(from)), this.places.get(to));
      return relative.startsWith('.') ? relative : `./${relative}`;
    };
    const known = `\\bimport\\b\\s*(?:\\{([^{}]*)\\}\\s*from\\s*${specifier}|(\\()${specifier}\\)|${specifier})`;
    let found = 0;
    const takers = new Map();
    const rewritten = source.replace(new RegExp(known, 'g'), (whole, clause, taken, isDynamic, loaded, needed) => {
      found++;
      const to = this.keys.get(taken ?? loaded ?? needed);
      if (isDynamic !== undefined) {
        const taker = takers.get(fileOf(to)) ?? `$take${takers.size}`;
        takers.set(fileOf(to), taker);
        return `${taker}("${this.doorTo(to, '*')}")`;
      }
      if (!isElsewhere(to)) {
        return whole;
      }
      const through = clause?.replace(/([\w$]+)(\s+as\s+[\w$]+)?/g, (_, name, as) => `${this.doorTo(to, name)}${as ?? ` as ${name}`}`);
      return clause === undefined ? `import"${fileOf(to)}"` : `import{${through}}from"${fileOf(to)}"`;
    });
    if (found !== [...source.matchAll(new RegExp(specifier, 'g'))].length) {
      throw new Error(`${from} imports a chunk in a way that is not known here.`);
    }
    // On the line that is there: maps count lines.
    const needs = [...takers].map(([file, taker]) => `import{take as ${taker}}from"take:${file}";`).join('');
    return `${needs}${rewritten.replace(/\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*"vscode"/g, 'import{all as $1}from"all:vscode"')}`;
  }
}

/**
 * Code that the parts of a file share: `take` loads an export of another file, `all` is the namespace of a module. `door` is the content of
 * a file that re-exports another.
 */
const helpers = {
  esm: {
    take: file => `export const take = name => import("${file}").then(all => all[name]);`,
    all: name => `import * as all from "${name}"; export { all };`,
    door: file => `export * from '${file}';\n`,
  },
  // Not every extension host supports `import()` or the `vscode` module in ES modules. All support `require`.
  cjs: {
    take: file => `export const take = name => new Promise(resolve => resolve(require("${file}")[name]));`,
    all: name => `export const all = require("${name}");`,
    door: file => `module.exports = require('${file}');\n`,
  },
};

/** Joins the parts, each with its code by its name, and leaves all else outside. */
const partsOnly = (parts, ofFormat) => ({
  name: 'partsOnly',
  setup(setup) {
    setup.onResolve({ filter: /.*/ }, ({ path: asked }) => {
      const [, helper, of] = asked.match(/^(take|all):(.*)$/) ?? [];
      const part = asked.startsWith('.') ? parts.get(path.basename(asked)) : undefined;
      return helper === undefined ? { path: part?.file ?? asked, external: part === undefined } : { path: of, namespace: helper };
    });
    setup.onLoad({ filter: /.*/ }, ({ path: asked, namespace }) => ({
      contents: ofFormat[namespace]?.(asked) ?? parts.get(path.basename(asked)).code,
      loader: 'js',
    }));
  },
});

/** Brings a metafile's `outputs` up to date. */
function noteFiles(outputs, { files, places, onDisk }) {
  const made = [...files].map(([file, parts]) => {
    const imports = parts.flatMap(key => outputs[key].imports.map(one => ({ ...one, path: places.get(one.path) ?? one.path })));
    const told = new Map(
      imports.filter(({ path: to, kind }) => to !== file || kind === 'dynamic-import').map(one => [JSON.stringify(one), one]),
    );
    const inputs = Object.assign({}, ...parts.map(key => outputs[key].inputs));
    return [file, { bytes: statSync(onDisk(file)).size, inputs, imports: [...told.values()], exports: [] }];
  });
  for (const key of places.keys()) {
    delete outputs[key];
    delete outputs[`${key}.map`];
  }
  Object.assign(outputs, Object.fromEntries(made));
}
