import { createContext } from 'preact';
import type { Money } from '../../../shared/session/facts/tokens';
import type { Row, ToolRow } from '../../../shared/session/rows/rows';
import type { SessionView } from '../../../shared/session/sessionView';
import { MarkdownReader } from '../markdown/markdownTokens';
import type { LoadedParts } from '../panelContext';
import { TimeFormats } from './times';

/** What rows share and what they can do to the list they stand in. All of it is about the thread that is shown. */
export interface RowsContext {
  /** Thread that is shown; '' is the session's own log. */
  readonly thread: string;
  readonly markdown: MarkdownReader;
  readonly times: TimeFormats;
  /** Whether something can be done about the session from here: it is no file. */
  readonly canWrite: boolean;
  /** Names of the rules of this machine that answered, by the event ids of what was asked. */
  readonly byRule: Readonly<Record<string, string>>;
  /** Files that the session made and that can be fetched, the newest first. */
  readonly made: NonNullable<SessionView['made']>;
  /** Names of the threads of sub-agents, by their ids. */
  readonly threadNames: ReadonlyMap<string, string>;
  /** Returns the cost of the request that made a call, by the user's prices. */
  readonly costOf: (row: ToolRow) => Money | undefined;
  readonly setOpen: (key: string, isOpen: boolean) => void;
  readonly showThread: (thread: string) => void;
}

export const Rows = createContext<RowsContext>({
  thread: '',
  markdown: new MarkdownReader(),
  times: new TimeFormats('en'),
  canWrite: false,
  byRule: {},
  made: [],
  threadNames: new Map(),
  costOf: () => undefined,
  setOpen: () => {},
  showThread: () => {},
});

/** Name of the thread of a sub-agent that a row came from, where another one is shown. */
export function threadNameOf(
  { thread }: Pick<Row, 'thread'>,
  { thread: shown, threadNames }: Pick<RowsContext, 'thread' | 'threadNames'>,
): string | undefined {
  return thread === undefined || thread === shown ? undefined : threadNames.get(thread);
}

/** What a row needs beyond itself. */
export interface RowProps<R> {
  readonly row: R;
  readonly isOpen: boolean;
  readonly loadedParts: LoadedParts;
}
