import { Emitter } from '../../../common/emitter';
import { shortId } from '../../../common/text/presentation';
import { toLabel } from '../../../shared/text';
import type { DeploymentSessions } from './sessionGroups';

/** Names of deployments that started listed sessions. Each is read once, when it is first shown. */
export class DeploymentNames {
  private readonly names = new Map<string, string>();
  private readonly didRead = new Emitter<void>();
  readonly onDidRead = this.didRead.event;

  constructor(private readonly read: (connection: string, id: string) => Promise<string | null | undefined>) {}

  /** Returns the name of a deployment, or its short ID until it was read. */
  nameOf({ connection, deployment: id }: Pick<DeploymentSessions, 'connection' | 'deployment'>): string {
    const key = JSON.stringify([connection, id]);
    const known = this.names.get(key);
    if (known === undefined) {
      this.names.set(key, shortId(id));
      this.readName(key, connection, id).catch(() => undefined);
    }
    return known ?? shortId(id);
  }

  private async readName(key: string, connection: string, id: string): Promise<void> {
    const name = toLabel((await this.read(connection, id)) ?? '', 80);
    if (name !== '') {
      this.names.set(key, name);
      this.didRead.fire();
    }
  }
}
