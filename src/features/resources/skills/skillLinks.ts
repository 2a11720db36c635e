import type { Memento } from 'vscode';
import { Emitter } from '../../../common/emitter';

/** Links that are remembered at most, the newest. */
const mostLinks = 500;
const stateKey = 'managedAgents.skillLinks';

/** Which skill a folder was last uploaded to, for one connection. */
export interface SkillLink {
  readonly connection: string;
  /** Address of the folder. */
  readonly folder: string;
  readonly skillId: string;
}

/** The skills that folders of this workspace belong to. */
export class SkillLinks {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: Pick<Memento, 'get' | 'update'>) {}

  find(connection: string, folder: string): string | undefined {
    return this.all().find(link => link.connection === connection && link.folder === folder)?.skillId;
  }

  async set(link: SkillLink): Promise<void> {
    const others = this.all().filter(({ connection, folder }) => connection !== link.connection || folder !== link.folder);
    await this.keep([link, ...others].slice(0, mostLinks));
  }

  /** Forgets a skill that is gone. */
  async forget(connection: string, skillId: string): Promise<void> {
    const links = this.all();
    const left = links.filter(link => link.connection !== connection || link.skillId !== skillId);
    if (left.length < links.length) {
      await this.keep(left);
    }
  }

  private async keep(links: readonly SkillLink[]): Promise<void> {
    await this.state.update(stateKey, links);
    this.changed.fire();
  }

  private all(): readonly SkillLink[] {
    const kept = this.state.get<unknown>(stateKey);
    return Array.isArray(kept) ? kept.filter(isSkillLink) : [];
  }
}

function isSkillLink(value: unknown): value is SkillLink {
  const { connection, folder, skillId } = (value ?? {}) as Partial<Record<keyof SkillLink, unknown>>;
  return [connection, folder, skillId].every(text => typeof text === 'string');
}
