import { readFile, stat } from 'node:fs/promises';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Uri } from 'vscode';
import { Debounce } from '../../../common/debounce';
import { Emitter } from '../../../common/emitter';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import type { Row } from '../../../shared/session/rows/rows';
import type { ConnectionView } from '../../../shared/session/sessionProtocol';
import type { SessionView } from '../../../shared/session/sessionView';
import { Transcript } from '../../../shared/session/transcript';
import { toByteSize } from '../../../shared/text';
import { type ExportProblem, type ReadExport, readExportInSteps } from '../facts/readExport';
import { inTurns } from '../inTurns';
import { createSessionView } from './createSessionView';
import { type PanelSource, type SourceChange, translatedView } from './panelSource';

/** Maximum size of a file, in bytes. The transcript of a larger file would not fit into memory. */
const maxBytes = 1_000_000_000;
/** Number of events added to a transcript before other work gets a turn. */
const slice = 2000;
/** Maximum number of lines listed in the message about unreadable lines. */
const namedLines = 5;

/** An exported session, read from its file without a service. */
export class ReplaySession implements PanelSource {
  readonly isReplay = true;
  readonly canWrite = false;
  private readonly changed = new Emitter<SourceChange>();
  readonly onDidChange = this.changed.event;
  private readonly lifetime = new AbortController();
  /** Aborts when its panel is closed. */
  readonly signal = this.lifetime.signal;
  private readonly transcripts = new Map<string, Transcript>([['', new Transcript()]]);
  /** Transcripts that end at the position of the replay, by thread. */
  private readonly past = new Map<string, Transcript>();
  private readonly seeks = new Debounce();
  private contents: ReadExport | undefined;
  private isReading = false;
  private cachedView: SessionView | undefined;
  connection: ConnectionView = { name: 'connecting' };

  constructor(
    private readonly file: Uri,
    private readonly t: Translate,
  ) {}

  get name(): string {
    return fileNameOf(this.file);
  }

  get described(): PanelSource['described'] {
    const { session, threads } = this.contents?.header ?? {};
    return { ...(session && { session }), ...(threads && { threads }) };
  }

  get openThreads(): readonly string[] {
    return [...this.transcripts.keys()];
  }

  get view(): SessionView {
    this.cachedView ??= this.createView();
    return this.cachedView;
  }

  transcript(thread: string): Transcript | undefined {
    return this.transcripts.get(thread);
  }

  rows(thread: string): readonly Row[] | undefined {
    return (this.past.get(thread) ?? this.transcripts.get(thread))?.rows;
  }

  /** Opens a thread, and ends the replay of all threads. */
  openThread(thread: string): void {
    if (!this.transcripts.has(thread)) {
      this.transcripts.set(thread, new Transcript(thread));
    }
    for (const replayed of this.past.keys()) {
      this.showAt(replayed, Number.MAX_SAFE_INTEGER);
    }
  }

  showAt(thread: string, seq: number): void {
    // Dragging the slider passes more positions than can be rendered.
    this.seeks.run(thread, 0, () => {
      const whole = this.transcripts.get(thread) ?? this.own();
      const known = this.past.get(thread);
      this.past.delete(thread);
      if (seq + 1 < whole.events.length) {
        const past = known !== undefined && known.events.length <= seq + 1 ? known : new Transcript(whole.shownThread);
        past.append(whole.events.slice(past.events.length, seq + 1));
        this.past.set(thread, past);
      }
      this.rowsChanged(thread);
    });
  }

  /** Reads the file, or reads it again. `connection` reports unreadable lines. */
  async read(): Promise<void> {
    if (this.isReading) {
      return;
    }
    this.isReading = true;
    this.setConnection({ name: 'connecting' });
    try {
      const { size } = await stat(this.file.fsPath);
      if (size > maxBytes) {
        throw new Error(this.t('This file has {0}. Files up to {1} can be opened.', toByteSize(size), toByteSize(maxBytes)));
      }
      const read = await inTurns(readExportInSteps(await readFile(this.file.fsPath, { signal: this.signal })), this.signal);
      this.contents = read;
      await this.fill('', read.events);
      for (const [thread, events] of read.threads) {
        await this.fill(thread, events);
      }
      this.setConnection(toConnection(read, this.t));
    } catch (error) {
      if (!this.signal.aborted) {
        this.setConnection({ name: 'ended', reason: describeError(error) });
      }
    } finally {
      this.isReading = false;
    }
  }

  dispose(): void {
    this.lifetime.abort();
    this.seeks.dispose();
    this.changed.dispose();
  }

  private own(): Transcript {
    return this.transcripts.get('') ?? new Transcript();
  }

  private async fill(thread: string, events: ReadExport['events']): Promise<void> {
    const transcript = new Transcript(thread);
    this.transcripts.set(thread, transcript);
    this.past.delete(thread);
    this.changed.fire({ type: 'rows', thread });
    for (let from = 0; from < events.length; from += slice) {
      transcript.append(events.slice(from, from + slice));
      this.rowsChanged(thread);
      await othersTurn();
      this.signal.throwIfAborted();
    }
  }

  private createView(): SessionView {
    const past = this.past.get('');
    const view = createSessionView({ ...this.described, isPast: past !== undefined }, (past ?? this.own()).state());
    return { ...translatedView(view, this.t), canSend: false };
  }

  private rowsChanged(thread: string): void {
    this.cachedView = undefined;
    this.changed.fire({ type: 'rows', thread });
    this.changed.fire({ type: 'view' });
  }

  private setConnection(connection: ConnectionView): void {
    this.connection = connection;
    this.changed.fire({ type: 'connection' });
  }
}

function toConnection({ problems, events, threads, newerVersion }: ReadExport, t: Translate): ConnectionView {
  if (events.length === 0 && threads.size === 0) {
    return { name: 'ended', reason: t('This file has no session events.') };
  }
  if (newerVersion !== undefined) {
    return { name: 'ended', reason: t('Written by a newer version: some parts may be missing.') };
  }
  if (problems.length === 0) {
    return { name: 'offlineFile' };
  }
  const words: Readonly<Record<ExportProblem, string>> = {
    tooLong: t('longer than 32 MiB'),
    notUtf8: t('not UTF-8'),
    notJson: t('not JSON'),
    tooDeep: t('nested too deeply'),
    notAnEvent: t('no event'),
  };
  const named = problems.slice(0, namedLines).map(({ line, problem }) => t('line {0}: {1}', line, words[problem]));
  const list = problems.length > namedLines ? [...named, '…'] : named;
  const reason = t('Lines left out: {0} ({1}).', problems.length, list.join('; '));
  return { name: 'ended', reason };
}
