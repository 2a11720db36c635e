import type { TranscriptEvent } from '../event';
import { idOf, numberOf, objectOf, textOf } from '../eventFields';
import { textOfParts, toSummary, toTextPart } from './parts';
import type { MessageRow, ThinkingRow } from './rows';

/** Sequence number of rows that are not stored yet, which come after all stored rows. */
export const lastSeq = Number.MAX_SAFE_INTEGER;

/** Maximum length of a previewed part, in characters. The stored event has the whole text. */
const previewLimit = 65_536;
/** Maximum number of parts in a preview. Part numbers come from the service. */
const maxParts = 256;

interface Preview {
  readonly event: TranscriptEvent;
  /** Texts by part. Sparse, because parts may be missing. */
  readonly texts: string[];
}

/** Messages that are being written, one row each, in the order of their starts. Previews are never part of the log. */
export class Previews {
  readonly #open = new Map<string, Preview>();

  get rows(): readonly (MessageRow | ThinkingRow)[] {
    return [...this.#open].map(([key, preview]) => toPreviewRow(key, preview));
  }

  /** Starts a preview, or restarts it at its old position, unless its message is already stored. */
  start(event: TranscriptEvent, isStored: (key: string) => boolean): void {
    const started = objectOf(event.event) as TranscriptEvent | undefined;
    const key = started && idOf(started);
    if (started !== undefined && key !== undefined && !isStored(key)) {
      this.#open.set(key, { event: { ...started, type: textOf(started.type) ?? 'agent.message' }, texts: [] });
    }
  }

  /** Adds text to a preview. Ignores an unknown preview, for example if its start was missed. */
  extend(event: TranscriptEvent): void {
    const texts = this.#open.get(textOf(event.event_id) ?? '')?.texts;
    const delta = objectOf(event.delta);
    const part = numberOf(delta?.index) ?? 0;
    const text = textOf(objectOf(delta?.content)?.text) ?? textOf(delta?.text);
    if (texts === undefined || text === undefined || !Number.isInteger(part) || part < 0 || part >= maxParts) {
      return;
    }
    const before = texts[part] ?? '';
    texts[part] = before + text.slice(0, Math.max(0, previewLimit - before.length));
  }

  end(key: string): void {
    this.#open.delete(key);
  }

  clear(): void {
    this.#open.clear();
  }
}

/** Returns whether an event is a preview, which is never in a log. */
export function isPreviewEvent(event: TranscriptEvent): boolean {
  return event.type === 'event_start' || event.type === 'event_delta';
}

function toPreviewRow(key: string, { event, texts }: Preview): MessageRow | ThinkingRow {
  const parts = Array.from(texts, (text = '') => toTextPart(text, previewLimit));
  const base = { key, type: event.type, seq: lastSeq, at: undefined, summary: toSummary(textOfParts(parts)), parts, preview: true };
  return event.type === 'agent.thinking' ? { ...base, kind: 'thinking' } : { ...base, kind: 'agent' };
}
