import type { SelectedRequests } from './jobs';
import type { RequestPlan } from './requestPlan';

/** Placeholder. */
export function selectRequests(_plan: RequestPlan, _lines: Uint32Array): SelectedRequests {
  throw new Error('This is being built.');
}
