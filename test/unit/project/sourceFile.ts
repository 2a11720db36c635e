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

/** Every TypeScript file of `src/`, by path. Run from the project's root, as all tests are. */
export function readSources(): ReadonlyMap<string, SourceFile> {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => name.slice(0, -'.ts'.length))
    .sort();
  const known = new Set(names);
  return new Map(
    names.map(name => {
      const text = readFileSync(path.join('src', `${name}.ts`), 'utf8');
      return [name, { path: name, text, imports: importsOf(name, text, known) }];
    }),
  );
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
  const joined = path.posix.join(path.posix.dirname(from), target).replace(/\.(?:js|ts|wasm)$/, '');
  return known.has(joined) ? joined : path.posix.join(joined, 'index');
}
