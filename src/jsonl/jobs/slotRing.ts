import type { SlotRing } from './threadProtocol';

const slotBytes = 512 * 1024;

/** A ring of `count` pieces of 512 KiB, all of them free. */
export function createRing(count: number): SlotRing {
  const slots = Array.from({ length: count }, () => new Uint8Array(new SharedArrayBuffer(slotBytes)));
  return { slots, free: new Int32Array(new SharedArrayBuffer(4)).fill(count) };
}

/** Gives the job the oldest piece that it has emitted back. */
export function release({ free }: SlotRing): void {
  Atomics.add(free, 0, 1);
  Atomics.notify(free, 0);
}
