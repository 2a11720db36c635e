import { readFileSync } from 'node:fs';
import type { TranscriptEvent } from '../../../../src/shared/session/event';
import type { ServiceObject } from '../../../../src/shared/session/sessionSource';

const folder = 'test/fixtures/streams';

/** The events of a recorded stream, in the order in which they came, previews among them. */
export function recordedStream(name: string): readonly TranscriptEvent[] {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  return text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice('data: '.length)) as TranscriptEvent);
}

/** The body of a recorded answer. */
export function recordedObject(name: string): ServiceObject {
  const [, answer = ''] = readFileSync(`${folder}/${name}`, 'utf8').split('### RESPONSE');
  return JSON.parse(answer.slice(answer.indexOf('\n\n'))) as ServiceObject;
}

/** The events of a recorded page, as the server listed them. */
export function recordedPage(name: string): readonly TranscriptEvent[] {
  return recordedObject(name).data as readonly TranscriptEvent[];
}

/** Splits a recorded stream into what is stored and what only previews. */
export function withoutPreviews(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  return events.filter(({ type }) => type !== 'event_start' && type !== 'event_delta');
}
