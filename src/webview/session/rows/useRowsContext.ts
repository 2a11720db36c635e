import { useMemo } from 'preact/hooks';
import { costOfRequest, type OwnPrices } from '../../../shared/session/facts/requestCosts';
import type { SessionView } from '../../../shared/session/sessionView';
import type { RowsContext } from '../rowsContext';
import { threadNames } from '../threads/threadWords';
import type { TranscriptRows } from '../transcriptRows';
import { TimeFormats } from './times';

interface RowsContextOptions extends Pick<RowsContext, 'thread' | 'canWrite' | 'setOpen' | 'showThread'> {
  readonly locale: string;
  readonly prices: OwnPrices | undefined;
  readonly agentModel: string | undefined;
  /** Rows of the displayed thread. */
  readonly transcript: () => TranscriptRows | undefined;
  /** Interface texts. A new object renders all rows again. */
  readonly context: unknown;
  /** `undefined` if none of its files can be fetched. */
  readonly view: SessionView | undefined;
  readonly threads: SessionView['threads'];
}

const none: RowsContext['made'] = [];

/** Returns the data shared by rows. A new object only if all rows have to be rendered again. */
export function useRowsContext(options: RowsContextOptions): RowsContext {
  const { thread, canWrite, setOpen, showThread, locale, context, view, threads, prices, agentModel, transcript } = options;
  // Every view has a list of its own, mostly of the same files.
  const files = JSON.stringify(view?.made ?? none);
  const made = useMemo((): RowsContext['made'] => view?.made ?? none, [files]);
  const rules = JSON.stringify(view?.byRule ?? {});
  const names = JSON.stringify([...threadNames(threads)]);
  return useMemo(
    () => ({
      ...{ thread, canWrite, made, setOpen, showThread, byRule: JSON.parse(rules) },
      costOf: ({ request, seq, thread: own }) => {
        const isOfAgent = own === undefined && seq > (transcript()?.agentChangedAt ?? -1);
        const cost = request && costOfRequest(request, { prices, agentModel: isOfAgent ? agentModel : undefined });
        return cost === undefined ? undefined : { cents: cost * 100, currency: prices?.currency ?? '' };
      },
      threadNames: new Map(JSON.parse(names)),
      times: new TimeFormats(locale),
    }),
    [thread, context, canWrite, made, rules, names, prices, agentModel],
  );
}
