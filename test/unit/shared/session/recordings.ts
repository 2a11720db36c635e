import { readFileSync } from 'node:fs';
import type { ServiceObject } from '../../../../src/features/sessions/facts/sessionSource';
import type { TranscriptEvent } from '../../../../src/shared/session/event';

const folder = 'test/fixtures/streams';

/** Returns the events of a recorded stream in order of arrival, including previews. */
export function recordedStream(name: string): readonly TranscriptEvent[] {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  return text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice('data: '.length)) as TranscriptEvent);
}

/** Returns the body of a recorded response. */
export function recordedObject(name: string): ServiceObject {
  const [, answer = ''] = readFileSync(`${folder}/${name}`, 'utf8').split('### RESPONSE');
  return JSON.parse(answer.slice(answer.indexOf('\n\n'))) as ServiceObject;
}

/** Returns the events of a recorded page, in the server's order. */
export function recordedPage(name: string): readonly TranscriptEvent[] {
  return recordedObject(name).data as readonly TranscriptEvent[];
}

/** Returns the stored events of a recorded stream, without previews. */
export function withoutPreviews(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  return events.filter(({ type }) => type !== 'event_start' && type !== 'event_delta');
}
