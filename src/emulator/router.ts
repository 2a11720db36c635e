import type { Exchange } from './exchange';
import type { RouteName } from './scenarios';

/** What answers one method and path. A `:name` in the path matches one segment, which is handed over decoded. */
export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Beta resource: `?beta=true` and the beta header are demanded where the dialect has them. */
  readonly beta: boolean;
  readonly handle: (exchange: Exchange, id: string) => Promise<void>;
}

export interface RouteMatch {
  readonly route: Route;
  readonly id: string;
}

/** The route for a method and a path without its query; undefined when there is none. */
export function matchRoute(routes: readonly Route[], method: string | undefined, path: string): RouteMatch | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== segments.length) {
      continue;
    }
    let id = '';
    const fits = pattern.every((part, at) => {
      const segment = segments[at] ?? '';
      if (!part.startsWith(':')) {
        return part === segment;
      }
      id = decoded(segment);
      return id !== '';
    });
    if (fits) {
      return { route, id };
    }
  }
  return undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
