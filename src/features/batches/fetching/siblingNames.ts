import { toFileStem } from '../../../common/text/fileStem';
import { baseName } from '../batchPresentation';

/** What a file of ours beside a request file holds. */
export type SiblingKind = 'results' | 'retry' | 'final' | 'cached' | 'primer';

/** `requests.jsonl` -> `requests.results.jsonl`; a file without one of the endings of request files keeps its whole name. */
export function siblingName(name: string, kind: SiblingKind): string {
  const stem = name.replace(/\.(?:jsonl|ndjson)$/i, '');
  return `${stem === '' ? 'requests' : stem}.${kind}.jsonl`;
}

/** The file name of a source URI, for a file of ours beside it. */
export function fileNameOf(source: string): string {
  return baseName(source).replace(/[/\\:]/g, '-');
}

/** A file name for results of a batch whose id comes from a service: nothing of it can lead to another folder. */
export function resultsNameOf(batchId: string): string {
  const safe = toFileStem(batchId.replace(/[^\w-]+/g, '-'));
  return `${safe === '' ? 'batch' : safe}.results.jsonl`;
}
