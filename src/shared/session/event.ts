/** An event as the service sent it. Any field except `type` may be missing or have an unexpected type. */
export interface TranscriptEvent {
  readonly type: string;
  readonly id?: string | null;
  readonly [field: string]: unknown;
}
