// One run of the row `scale` in its own process: scaleChild PART COUNT FOLDER. Prints one line of JSON. Milliseconds are processor time of
// the whole process.
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ledgerPart } from './scale/ledgerPart';
import { tablePart } from './scale/tablePart';
import { viewPart } from './scale/viewPart';
import { agentsView, batchesView, resourcesView, sessionsView } from './scale/views';

const [part = '', count = '', folder = ''] = process.argv.slice(2);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const noLedger = { all: () => [], findByBatch: () => undefined };
const views = { batches: () => batchesView(noLedger), sessions: sessionsView, agents: agentsView, resources: resourcesView };

const measure = async () => {
  const make = views[part as keyof typeof views];
  if (make !== undefined) {
    return await viewPart(make, Number(count), collect);
  }
  return part === 'results'
    ? await tablePart(Number(count), folder, collect, path.join(import.meta.dirname, 'jsonlThread.js'))
    : await ledgerPart(Number(count), folder, collect);
};
console.log(JSON.stringify(await measure()));
