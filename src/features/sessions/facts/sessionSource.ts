/** A session, a thread or a file as returned by the service. Any field may be missing. */
export interface ServiceObject {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Facts about a session other than its events. */
export interface SessionSource {
  /** The session as last retrieved. Missing if only events are known. */
  readonly session?: ServiceObject;
  readonly threads?: readonly ServiceObject[];
  readonly opened?: ReadonlySet<string>;
  readonly files?: readonly ServiceObject[];
  readonly vaultNames?: ReadonlyMap<string, string>;
  /** True if only the newest events were read so far. */
  readonly isPartial?: boolean;
  readonly isDeleted?: boolean;
  /** True for a past state: later changes of the session don't count. */
  readonly isPast?: boolean;
}
