import type { Agent } from '../../../client/schemas/agents';
import type { Model } from '../../../client/schemas/models';
import type { Skill, SkillVersion } from '../../../client/schemas/skills';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ListOptions, Page } from '../../../client/transport/answer';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import type { Clock } from '../../../common/clock';
import { describeError } from '../../../common/text/describeError';

/** Members of a group that are read at most. */
const mostListed = 1000;
/** Milliseconds for which a list is taken as it was read. */
export const keptFor = 60_000;
/** The same where a list lacks what a document names: it may have been made since. */
export const keptWhenLacking = 10_000;

/** The members of a group; where it is not whole, what is missing in it may be on the service. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly isWhole: boolean;
}

/** A group that documents of agents name members of: one of the service, or the versions of a skill. */
export type NamedGroup = 'models' | 'skills' | 'agents' | { readonly versionsOf: string };

/** What is known of a service. Undefined: not asked yet, not allowed to ask, refused, or no such group. */
export interface KnownNames {
  readonly models: Listed<Model> | undefined;
  readonly skills: Listed<Skill> | undefined;
  readonly agents: Listed<Agent> | undefined;
  versions(skillId: string): Listed<SkillVersion> | undefined;
}

/** Nothing is known. */
export const noNames: KnownNames = { models: undefined, skills: undefined, agents: undefined, versions: () => undefined };

interface Kept {
  readonly readAt: number;
  reading: Promise<void>;
  listed: Listed<unknown> | undefined;
}

type Lists = Pick<ServiceClient, 'models' | 'skills' | 'agents'>;

/** What the services of connections have, for nobody who asked: each group is read when it is wanted, and kept for a minute. */
export class ServiceNames {
  private readonly kept = new Map<string, Kept>();
  private lifetime = new AbortController();

  /** `reach` rejects where nothing may be sent now. `warn` is told of a group that could not be read, but for one that is not served. */
  constructor(
    private readonly reach: (connection: string) => Promise<Lists>,
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly warn: (message: string) => void,
  ) {}

  /** What was read last of a connection, however long ago. */
  known(connection: string): KnownNames {
    const listed = <T>(group: NamedGroup) => this.kept.get(keyOf(connection, group))?.listed as Listed<T> | undefined;
    return {
      models: listed<Model>('models'),
      skills: listed<Skill>('skills'),
      agents: listed<Agent>('agents'),
      versions: skillId => listed<SkillVersion>({ versionsOf: skillId }),
    };
  }

  /** Reads the groups that were not read within so many milliseconds. Never rejects. */
  async freshen(connection: string, groups: readonly NamedGroup[], age = keptFor): Promise<void> {
    await Promise.all(groups.map(group => this.freshenOne(connection, group, age)));
  }

  /** Forgets everything: connections, or what they lead to, have changed. */
  clear(): void {
    this.lifetime.abort();
    this.lifetime = new AbortController();
    this.kept.clear();
  }

  dispose(): void {
    this.clear();
  }

  private async freshenOne(connection: string, group: NamedGroup, age: number): Promise<void> {
    const key = keyOf(connection, group);
    const before = this.kept.get(key);
    if (before !== undefined && this.clock.monotonic() - before.readAt < age) {
      await before.reading;
      return;
    }
    const { signal } = this.lifetime;
    const client = await this.reach(connection).catch(() => undefined);
    if (signal.aborted || this.kept.get(key) !== before) {
      // Forgotten, or asked for by another meanwhile.
      await this.kept.get(key)?.reading;
      return;
    }
    if (client === undefined) {
      this.kept.delete(key);
      return;
    }
    const kept: Kept = { readAt: this.clock.monotonic(), reading: Promise.resolve(), listed: before?.listed };
    this.kept.set(key, kept);
    kept.reading = read(client, group, signal).then(
      listed => {
        kept.listed = listed;
      },
      (error: unknown) => {
        kept.listed = undefined;
        if (!signal.aborted && !(error instanceof ServiceError && error.status === 404)) {
          const what = typeof group === 'string' ? group : 'versions of a skill';
          this.warn(`The ${what} of ${connection} could not be read for documents of agents: ${describeError(error)}`);
        }
      },
    );
    await kept.reading;
  }
}

function read(client: Lists, group: NamedGroup, signal: AbortSignal): Promise<Listed<unknown>> {
  switch (group) {
    case 'models':
      return readAll(options => client.models.list({ ...options, signal }));
    case 'skills':
      return readAll(options => client.skills.list({ ...options, signal }));
    case 'agents':
      return readAll(options => client.agents.list({ ...options, signal, includeArchived: true }));
    default:
      return readAll(options => client.skills.versions(group.versionsOf).list({ ...options, signal }));
  }
}

async function readAll<T>(list: (options: ListOptions) => Promise<Page<T>>): Promise<Listed<T>> {
  const items: T[] = [];
  let isWhole = true;
  const onCut = () => {
    isWhole = false;
  };
  for await (const item of listAll(list, { limit: 100, onCut })) {
    if (items.length >= mostListed) {
      return { items, isWhole: false };
    }
    items.push(item);
  }
  return { items, isWhole };
}

function keyOf(connection: string, group: NamedGroup): string {
  return JSON.stringify([connection, group]);
}
