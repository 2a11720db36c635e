const ends: (() => Promise<void>)[] = [];

/** Has `end` called before the process that runs test files ends by itself: for what several files of it share. */
export function atLaneEnd(end: () => Promise<void>): void {
  ends.push(end);
}

/** Calls what `atLaneEnd` was given, the latest first. */
export async function endLane(): Promise<void> {
  for (const end of ends.splice(0).reverse()) {
    await end();
  }
}
