import type { Fault, FaultsOfRequest } from '../faults';
import { ConnectionCut, type Exchange, toFrame } from '../http/serverExchange';
import type { ServerStyle } from '../http/serverStyle';
import type { Scenario } from '../scenarios';
import type { EventLog, LogNews } from './eventLog';
import type { SessionParts } from './storedSession';

/**
 * One event stream: a comment immediately, then every event stored from now on, with keep-alives in between. There is no replay and no id
 * (API facts, section 9). Frames that arrive while the reader is slow are joined. A stream that falls too far behind is closed, dropping
 * all pending frames.
 */
export class EventConnection {
  #frames: string[] = [];
  /** Number of characters in `#frames`. */
  #waiting = 0;
  /** Number of events sent. */
  #events = 0;
  readonly #style: ServerStyle;
  readonly #scenario: Scenario;
  #end: 'ended' | 'cut' | undefined;
  #wake: () => void = () => undefined;

  /** `previews` are the types for which the client requested previews. */
  constructor(
    private readonly exchange: Exchange,
    private readonly log: EventLog,
    private readonly previews: ReadonlySet<string>,
    private readonly parts: Pick<SessionParts, 'clock' | 'style' | 'scenario'>,
  ) {
    this.#style = parts.style();
    this.#scenario = parts.scenario();
  }

  /** Opens the stream. It includes every event stored after this call. Iterating throws `ConnectionCut` to close the connection. */
  async *open(): AsyncGenerator<Buffer, void, void> {
    const { signal, faults } = this.exchange;
    const { clock } = this.parts;
    const unlisten = this.log.listen(news => this.#hear(news));
    const end = () => this.#stop('ended');
    const seconds = faults.transport?.name === 'cutStream' ? faults.transport.seconds : undefined;
    const cancelEnd = seconds === undefined ? undefined : clock.at(clock.now() + seconds * 1000, async () => end());
    signal.addEventListener('abort', end, { once: true });
    try {
      yield Buffer.from(': connected\n\n');
      for (;;) {
        if (this.#frames.length > 0) {
          const piece = Buffer.from(this.#frames.join(''));
          this.#frames = [];
          this.#waiting = 0;
          yield piece;
        } else if (this.#end === 'ended') {
          signal.throwIfAborted();
          return;
        } else if (this.#end === 'cut') {
          throw new ConnectionCut('The stream was cut.');
        } else {
          await this.#sleep();
        }
      }
    } finally {
      cancelEnd?.();
      signal.removeEventListener('abort', end);
      unlisten();
    }
  }

  /** Closes the connection after the pending frames. */
  cut(): void {
    this.#stop('cut');
  }

  /** Waits until a frame or a keep-alive has to be sent. */
  async #sleep(): Promise<void> {
    const { clock } = this.parts;
    const ping = this.#style.namedPings ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keepalive\n\n';
    const cancel = clock.at(clock.now() + this.#scenario.keepaliveSeconds * 1000, async () => this.#add(ping));
    await new Promise<void>(resolve => {
      this.#wake = resolve;
    });
    cancel();
  }

  #hear(news: readonly LogNews[]): void {
    if (news.length === 0 && this.#style.endsDeletedStreams) {
      this.#stop('ended');
    }
    for (const { type, json, previewOf } of news) {
      if (previewOf === undefined || this.previews.has(previewOf)) {
        this.#events++;
        for (const frame of faultyFrames(this.exchange.faults, toFrame({ type }, json), this.#events)) {
          if (frame === undefined) {
            this.#stop('cut');
          } else {
            this.#add(frame);
          }
        }
      }
    }
  }

  #add(frame: string): void {
    if (this.#end !== undefined) {
      return;
    }
    this.#frames.push(frame);
    this.#waiting += frame.length;
    if (this.#waiting > this.#scenario.streamBacklog) {
      this.#frames = [];
      this.#end = 'cut';
      // A connection with a full buffer can't be closed gracefully.
      this.exchange.request.socket.destroy();
    }
    this.#wake();
  }

  #stop(how: 'ended' | 'cut'): void {
    this.#end ??= how;
    this.#wake();
  }
}

/** Returns the frames to send in place of the frame of event `n` of a stream (1-based). `undefined` closes the connection. */
export function faultyFrames({ content, transport }: FaultsOfRequest, frame: string, n: number): readonly (string | undefined)[] {
  const isDue = (fault: Fault | undefined) => fault !== undefined && n % (fault.count ?? 1) === 0;
  const frames: (string | undefined)[] = [frame];
  if (isDue(content.get('duplicateEvents'))) {
    frames.push(frame);
  }
  if (isDue(content.get('unknownEvents'))) {
    frames.push(toFrame({ type: 'vendor.never_heard_of', after: n }));
  }
  if (isDue(content.get('brokenEvents'))) {
    frames.push('event: agent.message\ndata: {"type":"agent.message","id":"sevt_broken","content":[{"ty\n\n');
  }
  const huge = content.get('hugeEvent');
  if (huge !== undefined && n === (huge.count ?? 1)) {
    frames.push(toFrame({ type: 'vendor.huge', text: 'x'.repeat(huge.bytes ?? 10_000_000) }));
  }
  if (transport?.name === 'cutStream' && transport.bytes === undefined && transport.seconds === undefined) {
    if (n === (transport.count ?? 3)) {
      frames.push(undefined);
    }
  }
  return frames;
}
