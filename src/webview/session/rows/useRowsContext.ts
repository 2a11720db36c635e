import { useMemo } from 'preact/hooks';
import { costOfRequest, type OwnPrices } from '../../../shared/session/facts/requestCosts';
import type { SessionView } from '../../../shared/session/sessionView';
import { MarkdownReader } from '../markdown/markdownTokens';
import type { TranscriptRows } from '../transcriptRows';
import { threadNames } from '../threads/threadWords';
import type { RowsContext } from './rowsContext';
import { TimeFormats } from './times';

interface RowsContextOptions extends Pick<RowsContext, 'thread' | 'canWrite' | 'setOpen' | 'showThread'> {
  readonly locale: string;
  readonly prices: OwnPrices | undefined;
  readonly agentModel: string | undefined;
  /** Rows of the thread that is shown. */
  readonly transcript: () => TranscriptRows | undefined;
  /** Texts of the interface; others mean that all is drawn again. */
  readonly context: unknown;
  /** Absent where nothing that it names can be fetched. */
  readonly view: SessionView | undefined;
  readonly threads: SessionView['threads'];
}

const none: RowsContext['made'] = [];

/** What rows share: another object only when all of them have to be drawn again. */
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
      markdown: new MarkdownReader(),
      times: new TimeFormats(locale),
    }),
    [thread, context, canWrite, made, rules, names, prices, agentModel],
  );
}
