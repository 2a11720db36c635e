import type { ResourceGroup } from '../../client/dialect';
import { type RouteGroup, type RouteName, routeName } from '../routeNames';
import type { Exchange } from './serverExchange';

/**
 * Handler of one method and path. A `:name` in the path matches one segment, which is passed decoded. A path has at most two such names.
 */
export interface Route {
  readonly name: RouteName;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Group whose beta is required if the dialect has one: `?beta=true` and its header. `undefined` if none is required. */
  readonly beta: ResourceGroup | undefined;
  readonly handle: (exchange: Exchange, id: string, childId: string) => Promise<void>;
}

/** Groups that need no beta. The name of any other starts with the resource group whose beta it needs. */
const plainGroups: ReadonlySet<string> = new Set(['models', 'messages']);

/** Returns a function that creates routes of one group from a method, a verb, a path below `path`, and a handler. */
export function routesBelow(group: RouteGroup, path: string) {
  const beta = plainGroups.has(group) ? undefined : (group.split('.')[0] as ResourceGroup);
  return (method: Route['method'], verb: string, rest: string, handle: Route['handle']): Route => ({
    name: routeName(`${group}.${verb}`),
    method,
    path: path + rest,
    beta,
    handle,
  });
}

export interface RouteMatch {
  readonly route: Route;
  readonly id: string;
  /** Second id of the path. Empty if the path has only one. */
  readonly childId: string;
}

/** Returns the route for a method and a path without its query, or `undefined` if there is none. */
export function matchRoute(routes: readonly Route[], method: string | undefined, path: string): RouteMatch | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    const pattern = route.path.split('/');
    if (route.method !== method || pattern.length !== segments.length) {
      continue;
    }
    const ids: string[] = [];
    const fits = pattern.every((part, at) => {
      const segment = segments[at] ?? '';
      if (!part.startsWith(':')) {
        return part === segment;
      }
      return ids.push(decoded(segment)) > 0 && ids.at(-1) !== '';
    });
    if (fits) {
      return { route, id: ids[0] ?? '', childId: ids[1] ?? '' };
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
