import type { SessionReference } from '../../../contributions';
import type { ProgressProblem } from '../../../shared/session/facts/progress';
import type { ListedSession } from '../facts/listedSession';
import type { EndNotifierDependencies } from './endNotifier';

/** Notifies once per episode, even across reloads and windows, that a followed session seems to get nowhere. */
export class ProgressNotifier {
  constructor(private readonly deps: EndNotifierDependencies) {}

  async consider(reference: SessionReference, listed: ListedSession, { episode }: ProgressProblem): Promise<void> {
    const { followed, isWanted, isVisible, claim, tell } = this.deps;
    const [fresh] = await followed.tell(reference, [episode]);
    if (fresh !== undefined && isWanted() && !isVisible(reference) && (await claim(reference, episode))) {
      tell(reference, listed);
    }
  }
}
