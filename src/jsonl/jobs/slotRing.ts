import type { SlotRing } from './threadProtocol';

const slotBytes = 512 * 1024;

/** Creates a ring of `count` free slots of 512 KiB. */
export function createRing(count: number): SlotRing {
  const slots = Array.from({ length: count }, () => new Uint8Array(new SharedArrayBuffer(slotBytes)));
  return { slots, free: new Int32Array(new SharedArrayBuffer(4)).fill(count) };
}

/** Frees the oldest slot that the job has emitted. */
export function release({ free }: SlotRing): void {
  Atomics.add(free, 0, 1);
  Atomics.notify(free, 0);
}
