import { type KindTable, kindRoutes } from '../http/kindRoutes';
import { limitOf, refuseUnknownNames } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { cursorPage } from '../http/paging';
import { readForm } from '../http/readForm';
import type { Exchange } from '../http/serverExchange';
import type { SkillState } from './skillState';

const path = '/v1/skills';
// Larger than the limit of a package, so that a slightly larger upload is refused with that limit in the message.
const largestUpload = 32 * 1024 * 1024;

interface SkillShape {
  /** Refuses unknown filters, as the contract does. */
  readonly strict: boolean;
  /** True for newer services, whose pages have no `has_more`. */
  readonly isNewer: boolean;
}

/** Returns the routes of `/v1/skills`, of their versions and of their contents (API facts, section 13). */
export function skillRoutes(skills: SkillState, shape: SkillShape): readonly Route[] {
  const { strict } = shape;
  const partsOf = async (exchange: Exchange) => readForm(exchange.header('content-type'), await exchange.bytes(largestUpload));
  const table: KindTable = {
    group: 'skills',
    path,
    list: query => skills.list(query.get('source')),
    page: pageWith({ normal: 20, most: 100 }, ['source'], shape),
    retrieve: id => skills.get(id),
    delete: async id => {
      await skills.delete(id);
      return 'skill_deleted';
    },
  };
  const versionTable: KindTable = {
    group: 'skills',
    name: 'skills.versions',
    path: `${path}/:id/versions`,
    list: (_, parent) => skills.versions(parent),
    page: pageWith({ normal: 20, most: 1000 }, [], shape),
    retrieve: (key, _, parent) => skills.version(parent, key),
    delete: async (key, parent) => {
      await skills.deleteVersion(parent, key);
      return 'skill_version_deleted';
    },
  };
  const route = routesBelow('skills', path, 'skills');
  return [
    route('POST', 'create', '', async exchange => exchange.sendJson(await skills.create(await partsOf(exchange)))),
    ...kindRoutes(table, strict),
    route('POST', 'versions.create', '/:id/versions', async (exchange, id) => {
      skills.get(id);
      await exchange.sendJson(await skills.addVersion(id, await partsOf(exchange)));
    }),
    ...kindRoutes(versionTable, strict),
    route('GET', 'versions.content', '/:id/versions/:childId/content', async (exchange, id, key) => {
      const { name } = skills.version(id, key);
      const headers = { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${name}.skill"` };
      await exchange.send(200, headers, await skills.content(id, key));
    }),
  ];
}

/** Returns the `page` of a kind of skills: pages of the contract, to which older services add `has_more` (API facts, section 4). */
function pageWith(limits: { readonly normal: number; readonly most: number }, filters: readonly string[], { strict, isNewer }: SkillShape) {
  return (items: readonly { readonly id: string }[], query: URLSearchParams) => {
    if (strict) {
      refuseUnknownNames(query, filters);
    }
    const page = cursorPage(items, query, { limit: limitOf(query, limits) }) as { readonly next_page: string | null };
    return isNewer ? page : { ...page, has_more: page.next_page !== null };
  };
}
