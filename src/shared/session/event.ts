/** An event as the service sent it. Everything but `type` may be absent or of another kind than expected: read with care. */
export interface TranscriptEvent {
  readonly type: string;
  readonly id?: string | null;
  readonly [field: string]: unknown;
}
