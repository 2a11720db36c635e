import { createContext } from 'preact';
import { useMemo } from 'preact/hooks';
import { dateTimeFormat } from '../../shared/formats';
import type { Money } from '../../shared/session/facts/tokens';
import type { Row, ToolRow } from '../../shared/session/rows/rows';
import type { OwnPrices } from '../../shared/session/sessionProtocol';
import type { RunView, SessionView } from '../../shared/session/sessionView';
import { threadNames } from '../../shared/session/threadViews';
import { costOfRequest } from './costOverTime';
import type { TranscriptRows } from './transcriptRows';

const latest = 8.64e15;

/** Returns the time of day of a moment of the service's clock. `undefined` for an invalid moment. */
export function timeOf(at: number | undefined, locale: string): string | undefined {
  return at === undefined || !(Math.abs(at) <= latest) ? undefined : dateTimeFormat(locale, { timeStyle: 'medium' }).format(at);
}

/** Data and actions shared by the rows of the displayed thread. */
export interface RowsContext {
  /** Id of the displayed thread. '' is the session's own log. */
  readonly thread: string;
  /** True if the session can be changed from here. False for an exported file. */
  readonly canWrite: boolean;
  /** Names of the local rules that answered, by the event id of the ask. */
  readonly byRule: Readonly<Record<string, string>>;
  readonly threadNames: ReadonlyMap<string, string>;
  readonly costOf: (row: ToolRow) => Money | undefined;
  readonly setOpen: (key: string, isOpen: boolean) => void;
  readonly showThread: (thread: string) => void;
}

/** Workflow runs by id. Separate from the other data, because they change with every event of their agents. */
export const Runs = createContext<ReadonlyMap<string, RunView>>(new Map());

export const Rows = createContext({} as RowsContext);

/** Returns the name of the sub-agent's thread that a row comes from, if another thread is displayed. */
export function threadNameOf(
  { thread }: Pick<Row, 'thread'>,
  { thread: shown, threadNames }: Pick<RowsContext, 'thread' | 'threadNames'>,
): string | undefined {
  return thread === undefined || thread === shown ? undefined : threadNames.get(thread);
}

export interface RowProps<R> {
  readonly row: R;
  readonly isOpen: boolean;
}

interface RowsContextOptions extends Pick<RowsContext, 'thread' | 'canWrite' | 'setOpen' | 'showThread'> {
  readonly prices: OwnPrices | undefined;
  readonly agentModel: string | undefined;
  readonly transcript: () => TranscriptRows | undefined;
  /** Interface texts. A new object renders all rows again. */
  readonly context: unknown;
  /** View of the session. `undefined` if none of its files can be fetched. */
  readonly view: SessionView | undefined;
  readonly threads: SessionView['threads'];
}

/** Returns the data shared by rows. The object stays the same unless all rows have to be rendered again. */
export function useRowsContext(options: RowsContextOptions): RowsContext {
  const { thread, canWrite, setOpen, showThread, context, view, threads, prices, agentModel, transcript } = options;
  // Compared by content, because every view has new objects, mostly of the same content.
  const rules = JSON.stringify(view?.byRule ?? {});
  const names = JSON.stringify([...threadNames(threads)]);
  return useMemo(
    () => ({
      ...{ thread, canWrite, setOpen, showThread, byRule: JSON.parse(rules) },
      costOf: ({ request, seq, thread: own }) => {
        const isOfAgent = own === undefined && seq > (transcript()?.agentChangedAt ?? -1);
        const cost = request && costOfRequest(request, { prices, agentModel: isOfAgent ? agentModel : undefined });
        return cost === undefined ? undefined : { cents: cost * 100, currency: prices?.currency ?? '' };
      },
      threadNames: new Map(JSON.parse(names)),
    }),
    [thread, context, canWrite, rules, names, prices, agentModel],
  );
}
