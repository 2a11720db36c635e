import { type SessionComparisonHost, startSessionComparison } from './startSessionComparison';
import { type ComparisonHost, startComparison } from './startComparison';

declare function acquireVsCodeApi(): ComparisonHost & SessionComparisonHost;

/** Comparisons of results and of sessions share one bundle. The host writes into the page which one to show. */
const root = document.getElementById('root');
if (root !== null) {
  const isOfSessions = /"of":"sessions"/.test(root.dataset.state ?? '');
  const start = isOfSessions ? startSessionComparison : startComparison;
  start(root, acquireVsCodeApi());
}
