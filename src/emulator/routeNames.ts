const verbs = {
  batches: 'create list retrieve cancel delete results',
  models: 'list retrieve',
  messages: 'create countTokens',
  agents: 'create list retrieve update archive versions',
  environments: 'create list retrieve update archive delete',
  'environments.work': 'stats list retrieve stop',
  deployments: 'create list retrieve update archive pause unpause run',
  'deployments.runs': 'list retrieve',
  files: 'create list retrieve content delete',
  vaults: 'create list retrieve update archive delete',
  'vaults.credentials': 'create list retrieve update archive delete mcp_oauth_validate',
  webhooks: 'create list retrieve update delete regenerate_signing_secret',
  memoryStores: 'create list retrieve update archive delete',
  'memoryStores.memories': 'create list retrieve update delete',
  'memoryStores.versions': 'list retrieve redact',
  skills: 'create list retrieve delete',
  'skills.versions': 'create list retrieve delete content',
  sessions: 'create list retrieve update archive delete',
  'sessions.events': 'list send stream',
  'sessions.threads': 'list retrieve archive events stream',
  'sessions.resources': 'list create retrieve update delete',
} as const;

type Words<S extends string> = S extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : S;
export type RouteGroup = keyof typeof verbs;
export type Verb<G extends RouteGroup> = Words<(typeof verbs)[G]>;
/** Name of a route. A fault applies to one route, or to all routes of a group such as `sessions.events`. */
export type RouteName = { [G in RouteGroup]: `${G}.${Words<(typeof verbs)[G]>}` }[RouteGroup];

/** First parts of route names. A fault tied to one affects every route below it. */
export const routeGroups = Object.keys(verbs) as readonly RouteGroup[];
export const routeNames = Object.entries(verbs).flatMap(([group, words]) =>
  words.split(' ').map(verb => `${group}.${verb}`),
) as readonly RouteName[];

export function verbsOf<G extends RouteGroup>(group: G): readonly Verb<G>[] {
  return verbs[group].split(' ') as Verb<G>[];
}
