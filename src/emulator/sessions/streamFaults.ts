import type { Fault, FaultsOfRequest } from '../faults';

/** Frame of a stream, or the end of its connection. */
export type FaultyFrame = string | { readonly cut: true };

/** Applies faults to the events of a stream: repeats them, inserts others, closes the connection. */
export class StreamFaults {
  readonly #faults: FaultsOfRequest;
  #events = 0;

  constructor(faults: FaultsOfRequest) {
    this.#faults = faults;
  }

  /** Returns the frames to send instead of the frame of one event. */
  framesFor(frame: string): readonly FaultyFrame[] {
    const { content, transport } = this.#faults;
    this.#events++;
    const isDue = (fault: Fault | undefined) => fault !== undefined && this.#events % (fault.count ?? 1) === 0;
    const frames: FaultyFrame[] = [frame];
    if (isDue(content.get('duplicateEvents'))) {
      frames.push(frame);
    }
    if (isDue(content.get('unknownEvents'))) {
      frames.push(toFrame('vendor.never_heard_of', { type: 'vendor.never_heard_of', after: this.#events }));
    }
    if (isDue(content.get('brokenEvents'))) {
      frames.push('event: agent.message\ndata: {"type":"agent.message","id":"sevt_broken","content":[{"ty\n\n');
    }
    const huge = content.get('hugeEvent');
    if (huge !== undefined && this.#events === (huge.count ?? 1)) {
      frames.push(toFrame('vendor.huge', { type: 'vendor.huge', text: 'x'.repeat(huge.bytes ?? 10_000_000) }));
    }
    if (transport?.name === 'cutStream' && transport.bytes === undefined && transport.seconds === undefined) {
      if (this.#events === (transport.count ?? 3)) {
        frames.push({ cut: true });
      }
    }
    return frames;
  }
}

function toFrame(type: string, event: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}
