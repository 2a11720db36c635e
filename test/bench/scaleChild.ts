// One run of the row `scale` in a process of its own: scaleChild PART COUNT FOLDER, one line of JSON. Milliseconds are processor time of
// the whole process.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ledgerPart } from './scale/ledgerPart';
import { viewPart } from './scale/viewPart';
import { agentsView, batchesView, resourcesView, sessionsView } from './scale/views';

const [part = '', count = '', folder = ''] = process.argv.slice(2);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const noLedger = { all: () => [], findByBatch: () => undefined };
const views = { batches: () => batchesView(noLedger), sessions: sessionsView, agents: agentsView, resources: resourcesView };

const make = views[part as keyof typeof views];
const measured = make === undefined ? await ledgerPart(Number(count), folder, collect) : await viewPart(make, Number(count), collect);
console.log(JSON.stringify(measured));
