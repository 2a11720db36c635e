import { Runner } from './runner';
import type { WorkbenchPage } from './workbenchPage.mjs';

type Remote<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => Promise<unknown> ? K : never]: T[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/**
 * The page that shows this VS Code, for suites inside the extension host: what `WorkbenchPage` can do with arguments and
 * results of plain data.
 */
export function connectPage(): Remote<WorkbenchPage> & { readonly available: boolean; close(): void } {
  const available = true;
  const runner = new Runner();
  return new Proxy({ available, close: () => runner.close() } as ReturnType<typeof connectPage>, {
    get: (target, name) =>
      Reflect.has(target, name) || typeof name === 'symbol' || name === 'then'
        ? Reflect.get(target, name)
        : (...args: unknown[]) => runner.call('page', name, ...args),
  });
}
