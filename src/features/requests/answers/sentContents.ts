import type { Submission } from '../../ledger';
import type { AnswerFiles, SentHashes, SentIds } from './answerSources';

/** Ids and hashes of the requests of submissions. Opens each once, and retries those that didn't exist. */
export class SentContents {
  private readonly sent = new Map<string, Promise<SentIds | undefined>>();
  private readonly hashes = new Map<string, Promise<SentHashes | undefined>>();
  private readonly notThere: (() => void)[] = [];

  constructor(private readonly files: Pick<AnswerFiles, 'openSent' | 'openHashes'>) {}

  /** Allows to retry what didn't exist. */
  lookAgain(): void {
    for (const forget of this.notThere.splice(0)) {
      forget();
    }
  }

  idsOf(submission: Submission): Promise<SentIds | undefined> {
    return this.once(this.sent, submission, () => this.files.openSent(submission));
  }

  hashesOf(submission: Submission): Promise<SentHashes | undefined> {
    return this.once(this.hashes, submission, () => this.files.openHashes(submission));
  }

  /** Returns the submission that sent a request with this id. A single submission is returned without a check. */
  async submissionWith(id: string, submissions: readonly Submission[]): Promise<Submission | undefined> {
    if (submissions.length < 2) {
      return submissions[0];
    }
    for (const submission of submissions) {
      if ((await this.idsOf(submission))?.has(id) === true) {
        return submission;
      }
    }
    return undefined;
  }

  private once<T>(kept: Map<string, Promise<T | undefined>>, { id }: Submission, open: () => Promise<T>): Promise<T | undefined> {
    let found = kept.get(id);
    if (found === undefined) {
      found = open().catch(() => {
        this.notThere.push(() => kept.delete(id));
        return undefined;
      });
      kept.set(id, found);
    }
    return found;
  }
}
