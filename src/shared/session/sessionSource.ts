/** A session, a thread or a file as the service gives it; any field may be missing. */
export interface ServiceObject {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What is known of a session besides its events. */
export interface SessionSource {
  /** As it was retrieved last; absent where only events are known. */
  readonly session?: ServiceObject;
  readonly threads?: readonly ServiceObject[];
  /** The files that it made. */
  readonly files?: readonly ServiceObject[];
  /** What the vaults that it can use are called, by their ids, as far as that is known. */
  readonly vaultNames?: ReadonlyMap<string, string>;
  /** Only the newest events were read so far. */
  readonly isPartial?: boolean;
  /** The service does not know it any more. */
  readonly isDeleted?: boolean;
  /** The state is one of the past: what the session has become since does not count. */
  readonly isPast?: boolean;
}
