import type { Lazy } from '../../../common/lazy';
import type { ConversedSession } from '../live/conversation';
import type { ApprovalRules } from './approvalRules';

/** Connects an open session, or one in the inbox, with the rules of this machine. */
export class PanelRules {
  private rules: ApprovalRules | undefined;
  private listening: { dispose(): void } | undefined;
  private isDisposed = false;

  constructor(
    private readonly session: Pick<ConversedSession, 'reference'> & { viewChanged(): void },
    loading: Pick<Lazy<ApprovalRules>, 'get'>,
    warn: (message: string) => void,
  ) {
    loading.get().then(
      rules => {
        if (!this.isDisposed) {
          this.rules = rules;
          this.listening = rules.decisions.onDidChange(() => session.viewChanged());
          session.viewChanged();
        }
      },
      error => warn(`The rules of this machine could not be loaded: ${String(error)}`),
    );
  }

  /** Names of the rules that decided here, by the event ids of the asks. `undefined` if there are none. */
  get names(): Readonly<Record<string, string>> | undefined {
    const names = this.rules?.decisions.namesIn(this.session.reference) ?? {};
    return Object.keys(names).length === 0 ? undefined : names;
  }

  /** Called when the user starts to answer. */
  async begin(eventId: string): Promise<void> {
    await this.rules?.answering(this.session.reference, eventId);
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening?.dispose();
  }
}
