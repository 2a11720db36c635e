import type { Agent } from '../../../../client/resources/agents';
import type { Model } from '../../../../client/resources/models';
import type { Skill, SkillVersion } from '../../../../client/resources/skills';
import type { ServiceClient } from '../../../../client/serviceClient';
import { type ListStart, listUpTo } from '../../../../client/transport/pagination';
import type { Clock } from '../../../../common/clock';
import { describeError } from '../../../../common/text/describeError';
import { isGone } from '../../lists/resourceErrors';

const maxListed = 1000;
/** Lifetime of a cached list, in milliseconds. */
export const cacheDuration = 60_000;
/** Lifetime of a cached list that lacks a name of the document, in milliseconds. The name may have been created since. */
export const incompleteCacheDuration = 10_000;

/** Group of names in agent documents. Either a group of the service, or the versions of a skill. */
export type NamedGroup = 'models' | 'skills' | 'agents' | { readonly versionsOf: string };

/** Names of a service. A group is `undefined` if it was not requested yet, must not be requested, was refused, or does not exist. */
export interface KnownNames {
  readonly models: ListStart<Model> | undefined;
  readonly skills: ListStart<Skill> | undefined;
  readonly agents: ListStart<Agent> | undefined;
  versions(skillId: string): ListStart<SkillVersion> | undefined;
}

/** Names of a service that was not read. All groups are unknown. */
export const noNames: KnownNames = { models: undefined, skills: undefined, agents: undefined, versions: () => undefined };

interface Cached {
  readAt: number;
  reading: Promise<void>;
  listed: ListStart<unknown> | undefined;
}

type Lists = Pick<ServiceClient, 'models' | 'skills' | 'agents'>;

/** Cache of the names on each connection's service. Reads a group in the background when needed, and caches it for a minute. */
export class ServiceNames {
  private readonly cached = new Map<string, Cached>();
  private lifetime = new AbortController();

  /** `reach` rejects if no request may be sent now. `warn` is called if a group can't be read, except if the service does not have it. */
  constructor(
    private readonly reach: (connection: string) => Promise<Lists>,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly warn: (message: string) => void,
  ) {}

  known(connection: string): KnownNames {
    const listed = <T>(group: NamedGroup) => this.cached.get(keyOf(connection, group))?.listed as ListStart<T> | undefined;
    return {
      models: listed<Model>('models'),
      skills: listed<Skill>('skills'),
      agents: listed<Agent>('agents'),
      versions: skillId => listed<SkillVersion>({ versionsOf: skillId }),
    };
  }

  /** Reads the groups whose cache is older than `age` milliseconds. A group that can't be read keeps its known names. Never rejects. */
  async refresh(connection: string, groups: readonly NamedGroup[], age = cacheDuration): Promise<void> {
    await Promise.all(
      groups.map(group => {
        const key = keyOf(connection, group);
        const before = this.cached.get(key);
        const readAt = this.clock.monotonic();
        if (before !== undefined && readAt - before.readAt < age) {
          return before.reading;
        }
        const entry: Cached = { readAt, reading: Promise.resolve(), listed: before?.listed };
        this.cached.set(key, entry);
        entry.reading = this.read(connection, group, entry);
        return entry.reading;
      }),
    );
  }

  /** Clears the cache, because connections or their services have changed. */
  clear(): void {
    this.lifetime.abort();
    this.lifetime = new AbortController();
    this.cached.clear();
  }

  dispose(): void {
    this.clear();
  }

  private async read(connection: string, group: NamedGroup, entry: Cached): Promise<void> {
    const { signal } = this.lifetime;
    const client = await this.reach(connection).catch(() => undefined);
    if (client === undefined || signal.aborted) {
      // Lets the next refresh read the group again, in case requests are allowed then.
      entry.readAt = Number.NEGATIVE_INFINITY;
      return;
    }
    try {
      entry.listed = await listNames(client, group, signal);
    } catch (error) {
      if (isGone(error)) {
        entry.listed = undefined;
      } else if (!signal.aborted) {
        const what = typeof group === 'string' ? group : 'versions of a skill';
        this.warn(`The ${what} of ${connection} could not be read for documents of agents: ${describeError(error)}`);
      }
    }
  }
}

function listNames(client: Lists, group: NamedGroup, signal: AbortSignal): Promise<ListStart<unknown>> {
  const options = { limit: 100, signal };
  switch (group) {
    case 'models':
      return listUpTo(client.models.list, maxListed, options);
    case 'skills':
      return listUpTo(client.skills.list, maxListed, options);
    case 'agents':
      return listUpTo(page => client.agents.list({ ...page, includeArchived: true }), maxListed, options);
    default:
      return listUpTo(client.skills.versions(group.versionsOf).list, maxListed, options);
  }
}

function keyOf(connection: string, group: NamedGroup): string {
  return JSON.stringify([connection, group]);
}
