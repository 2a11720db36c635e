import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../../common/clock';
import { type HolderLife, type LockHolder, lifeOf, parseHolder } from './lockHolder';

export interface HeartbeatsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds without a heartbeat, by the reader's monotonic clock, after which a file is abandoned. */
  readonly timeout: number;
  /** True if a live holder keeps its file although it is silent, because its work must not be repeated meanwhile. */
  readonly outlastsSilence: boolean;
  readonly lifeOf?: (holder: LockHolder | undefined) => Promise<HolderLife>;
}

/** Checks files that name their holder (`LockHolder`) and that the holder touches regularly. Does not rely on wall clocks. */
export class Heartbeats {
  private readonly seen = new Map<string, { readonly stamp: string; readonly since: number }>();

  constructor(private readonly options: HeartbeatsOptions) {}

  /** Returns whether somebody holds the file. An unreadable file is held. */
  async isBeating(file: string): Promise<boolean> {
    const { clock, timeout, outlastsSilence, lifeOf: judge = lifeOf } = this.options;
    let text: string;
    let modified: number;
    try {
      text = await readFile(file, 'utf8');
      modified = (await stat(file)).mtimeMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        return true;
      }
      this.seen.delete(file);
      return false;
    }
    const life = await judge(parseHolder(text));
    if (life === 'dead') {
      return false;
    }
    const seen = this.seen.get(file);
    const stamp = `${modified}\n${text}`;
    if (seen?.stamp !== stamp) {
      this.seen.set(file, { stamp, since: clock.monotonic() });
      return true;
    }
    return (life === 'alive' && outlastsSilence) || clock.monotonic() - seen.since < timeout;
  }
}
