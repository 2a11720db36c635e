import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Import {
  /** Path below `src/` without extension for our own modules; else the module's name. */
  readonly target: string;
  readonly kind: 'value' | 'type' | 'dynamic';
}

/** One file of `src/` and what it imports. `path` is below `src/`, without extension. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** Every TypeScript file of `src/`, `.tsx` among them, by path. Run from the project's root, as all tests are. */
export function readSources(): ReadonlyMap<string, SourceFile> {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .sort();
  const known = new Set(names.map(withoutEnding));
  return new Map(
    names.map(name => {
      const text = readFileSync(path.join('src', name), 'utf8');
      const own = withoutEnding(name);
      return [own, { path: own, text, imports: importsOf(own, text, known) }];
    }),
  );
}

function withoutEnding(name: string): string {
  return name.replace(/\.tsx?$/, '');
}

function importsOf(from: string, text: string, known: ReadonlySet<string>): readonly Import[] {
  const found: Import[] = [];
  for (const [, isType, target = ''] of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm)) {
    found.push({ target: resolve(from, target, known), kind: isType === undefined ? 'value' : 'type' });
  }
  for (const [, isType, target = ''] of text.matchAll(/(typeof\s+)?\bimport\(\s*'([^']+)'\s*\)/g)) {
    found.push({ target: resolve(from, target, known), kind: isType === undefined ? 'dynamic' : 'type' });
  }
  return found;
}

function resolve(from: string, target: string, known: ReadonlySet<string>): string {
  if (!target.startsWith('.')) {
    return target;
  }
  const joined = path.posix.join(path.posix.dirname(from), target).replace(/\.(?:js|tsx?|wasm)$/, '');
  return known.has(joined) ? joined : path.posix.join(joined, 'index');
}
