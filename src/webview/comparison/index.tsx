import { type SessionComparisonHost, startSessionComparison } from '../sessionComparison/startSessionComparison';
import { type ComparisonHost, startComparison } from './startComparison';

declare function acquireVsCodeApi(): ComparisonHost & SessionComparisonHost;

/** Comparisons of results and of sessions look alike: they share one bundle, and the host writes into the page which one it is. */
const root = document.getElementById('root');
if (root !== null) {
  const isOfSessions = /"of":"sessions"/.test(root.dataset.state ?? '');
  const start = isOfSessions ? startSessionComparison : startComparison;
  start(root, acquireVsCodeApi());
}
