import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '../../common/clock';
import { type HolderLife, type LockHolder, lifeOf, parseHolder } from './lockHolder';

export interface HeartbeatsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds without a heartbeat, by the monotonic clock of the one who looks, after which a file belongs to nobody. */
  readonly timeout: number;
  /** Whether a holder that is known to live keeps its file, though it stands still: what it does must not be done again meanwhile. */
  readonly outlastsSilence: boolean;
  readonly lifeOf?: (holder: LockHolder | undefined) => Promise<HolderLife>;
}

/** Judges files that begin with their holder (`LockHolder`) and that it touches again and again, whatever the wall clocks say. */
export class Heartbeats {
  private readonly seen = new Map<string, { readonly stamp: string; readonly since: number }>();

  constructor(private readonly options: HeartbeatsOptions) {}

  /** Whether somebody holds the file. One that is there and cannot be read is held until it can be. */
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
