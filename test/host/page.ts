import { connectToRunner } from './channel.mjs';
import type { WorkbenchPage } from './page/workbenchPage';

type Remote<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => Promise<unknown> ? K : never]: T[K] extends (...args: infer A) => Promise<infer R>
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

/**
 * Returns the page that shows this VS Code, for tests inside the extension host. Arguments and results of its methods must be plain data.
 */
export function connectPage(): Remote<WorkbenchPage> & { close(): void } {
  const runner = connectToRunner();
  return new Proxy({ close: () => runner.close() } as ReturnType<typeof connectPage>, {
    get: (target, name) =>
      Reflect.has(target, name) || typeof name === 'symbol' || name === 'then'
        ? Reflect.get(target, name)
        : (...args: unknown[]) => runner.call('page', name, ...args),
  });
}
