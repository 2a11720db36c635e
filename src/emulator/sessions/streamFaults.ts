import type { Fault, FaultsOfRequest } from '../faults';

/** Returns the frames to send in place of the frame of event `n` of a stream (1-based). `undefined` closes the connection. */
export function faultyFrames({ content, transport }: FaultsOfRequest, frame: string, n: number): readonly (string | undefined)[] {
  const isDue = (fault: Fault | undefined) => fault !== undefined && n % (fault.count ?? 1) === 0;
  const frames: (string | undefined)[] = [frame];
  if (isDue(content.get('duplicateEvents'))) {
    frames.push(frame);
  }
  if (isDue(content.get('unknownEvents'))) {
    frames.push(toFrame('vendor.never_heard_of', { type: 'vendor.never_heard_of', after: n }));
  }
  if (isDue(content.get('brokenEvents'))) {
    frames.push('event: agent.message\ndata: {"type":"agent.message","id":"sevt_broken","content":[{"ty\n\n');
  }
  const huge = content.get('hugeEvent');
  if (huge !== undefined && n === (huge.count ?? 1)) {
    frames.push(toFrame('vendor.huge', { type: 'vendor.huge', text: 'x'.repeat(huge.bytes ?? 10_000_000) }));
  }
  if (transport?.name === 'cutStream' && transport.bytes === undefined && transport.seconds === undefined) {
    if (n === (transport.count ?? 3)) {
      frames.push(undefined);
    }
  }
  return frames;
}
function toFrame(type: string, event: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}
