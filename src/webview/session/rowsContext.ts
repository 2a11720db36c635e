import { createContext } from 'preact';
import type { Money } from '../../shared/session/facts/tokens';
import type { Row, ToolRow } from '../../shared/session/rows/rows';
import type { RunView } from '../../shared/session/runViews';
import type { SessionView } from '../../shared/session/sessionView';
import { TimeFormats } from './rows/times';

/** Data and actions shared by the rows of the displayed thread. */
export interface RowsContext {
  /** Id of the displayed thread; '' is the session's own log. */
  readonly thread: string;
  readonly times: TimeFormats;
  /** True if the session can be changed from here. False for an exported file. */
  readonly canWrite: boolean;
  /** Names of the local rules that answered, by the event id of the ask. */
  readonly byRule: Readonly<Record<string, string>>;
  /** Files that the session created and that can be fetched, newest first. */
  readonly made: NonNullable<SessionView['made']>;
  /** Names of the sub-agents' threads, by id. */
  readonly threadNames: ReadonlyMap<string, string>;
  /** Returns the cost of the request that made a call, by the user's prices. */
  readonly costOf: (row: ToolRow) => Money | undefined;
  readonly setOpen: (key: string, isOpen: boolean) => void;
  readonly showThread: (thread: string) => void;
}

/** Workflow runs by id. Apart from the other data, because they change with every event of their agents. */
export const Runs = createContext<ReadonlyMap<string, RunView>>(new Map());

export const Rows = createContext<RowsContext>({
  thread: '',
  times: new TimeFormats('en'),
  canWrite: false,
  byRule: {},
  made: [],
  threadNames: new Map(),
  costOf: () => undefined,
  setOpen: () => {},
  showThread: () => {},
});

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
