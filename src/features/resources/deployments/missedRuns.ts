import type { Event, Memento } from 'vscode';
import type { Deployment, DeploymentRun } from '../../../client/schemas/deployments';
import { Emitter } from '../../../common/emitter';
import type { Reference } from '../../../contributions';
import { keyOf } from '../reference';
import { type ClockMemory, isRunOf, latestStart, lookAtClock } from './passedTimes';

const stored = 'missedRuns';
const mostMissed = 10;
const mostRemembered = 500;
/** Milliseconds until runs are asked for again that could not be read. */
const askAgain = 5 * 60 * 1000;
const week = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds since 1970 throughout. */
interface Remembered {
  readonly clock?: ClockMemory | undefined;
  /** Times that passed without a run, ascending. */
  readonly missed: readonly number[];
  readonly seenAt: number;
}

/** What a deployment missed that nobody was told of yet. */
export interface MissedNews {
  readonly reference: Reference;
  readonly name: string;
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
}

export interface MissedRunsParts {
  /** Kept over reloads. */
  readonly memory: Pick<Memento, 'get' | 'update'>;
  /** The runs of a deployment that were made between two times, both RFC 3339. For nobody who asked. */
  readRuns(deployment: Reference, from: string, to: string): Promise<readonly DeploymentRun[]>;
  tell(news: readonly MissedNews[]): void;
  /** What could not be found out. */
  warn(message: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * The times of schedules that passed without a run, by what the list of deployments says from look to look. Runs are asked for only where
 * that leaves open what became of a time, once for each deployment. What was found is told once, and stays until it is cleared or a week old.
 */
export class MissedRuns {
  private readonly deployments: Map<string, Remembered>;
  /** Deployments whose runs are being read, or could not be read, and when that was. */
  private readonly asked = new Map<string, number>();
  private written = '';
  private readonly changed = new Emitter<void>();

  /** Fires when a time was found or cleared. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly parts: MissedRunsParts) {
    this.deployments = new Map(Object.entries(parts.memory.get<Record<string, Remembered>>(stored) ?? {}));
  }

  /** What a deployment missed, in milliseconds since 1970, the latest first. */
  of(reference: Reference): readonly number[] {
    return this.deployments.get(keyOf(reference))?.missed.toReversed() ?? [];
  }

  /** Takes in deployments of a connection as they are listed now. Settles when what was missed is found out and told. */
  async see(connection: string, listed: readonly Deployment[]): Promise<void> {
    const suspected = listed.flatMap(deployment => {
      const reference = { connection, kind: 'deployment', id: deployment.id };
      const suspects = this.look(reference, deployment);
      return suspects.length === 0 ? [] : [this.find(reference, deployment, suspects)];
    });
    const news = (await Promise.all(suspected)).filter(one => one !== undefined);
    if (news.length > 0) {
      this.parts.tell(news);
      this.changed.fire();
    }
    this.keep();
  }

  /** Takes in runs as they are listed now: one that came late after all was not missed. */
  seeRuns(deployment: Reference, runs: readonly DeploymentRun[]): void {
    const known = this.deployments.get(keyOf(deployment));
    const missed = known?.missed.filter(time => !runs.some(run => isRunOf(run, time))) ?? [];
    if (known !== undefined && missed.length < known.missed.length) {
      this.set(deployment, { ...known, missed });
      this.keep();
      this.changed.fire();
    }
  }

  /** Forgets what a deployment missed, or what all did. */
  clear(deployment: Reference | undefined): void {
    for (const [key, known] of this.deployments) {
      if (deployment === undefined || key === keyOf(deployment)) {
        this.deployments.set(key, { ...known, missed: [] });
      }
    }
    this.keep();
    this.changed.fire();
  }

  private look(reference: Reference, deployment: Deployment): readonly number[] {
    const now = this.parts.now();
    const known = this.deployments.get(keyOf(reference));
    const { memory, suspects } = lookAtClock(known?.clock, deployment, now);
    const missed = (known?.missed ?? []).filter(time => now - time < week);
    if (memory !== undefined || missed.length > 0) {
      this.set(reference, { clock: memory, missed, seenAt: now });
    } else {
      this.deployments.delete(keyOf(reference));
    }
    return suspects;
  }

  /** Which of some times had no run. Undefined where all had one, and while that cannot be told. */
  private async find(reference: Reference, { name }: Deployment, suspects: readonly number[]): Promise<MissedNews | undefined> {
    const key = keyOf(reference);
    const now = this.parts.now();
    if (now < (this.asked.get(key) ?? Number.NEGATIVE_INFINITY) + askAgain) {
      return undefined;
    }
    this.asked.set(key, now);
    try {
      const [from = 0, to = from] = [suspects[0], suspects.at(-1)];
      const runs = await this.parts.readRuns(reference, toText(from - 1_000), toText(latestStart(to)));
      const times = suspects.filter(time => !runs.some(run => isRunOf(run, time)));
      this.asked.delete(key);
      const known = this.deployments.get(key);
      if (known === undefined) {
        return undefined;
      }
      const awaited = known.clock?.awaited.filter(time => !suspects.includes(time)) ?? [];
      const missed = [...known.missed, ...times].slice(-mostMissed);
      this.set(reference, { ...known, clock: known.clock && { ...known.clock, awaited }, missed });
      return times.length === 0 ? undefined : { reference, name: name ?? '', times };
    } catch (error) {
      // Found out at another look.
      this.parts.warn(`The runs of a deployment could not be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private set(reference: Reference, remembered: Remembered): void {
    this.deployments.set(keyOf(reference), remembered);
  }

  private keep(): void {
    const latest = [...this.deployments].sort(([, a], [, b]) => b.seenAt - a.seenAt).slice(0, mostRemembered);
    const said = JSON.stringify(latest.map(([key, { clock, missed }]) => [key, clock, missed]));
    if (said !== this.written) {
      this.written = said;
      void this.parts.memory.update(stored, Object.fromEntries(latest));
    }
  }
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
