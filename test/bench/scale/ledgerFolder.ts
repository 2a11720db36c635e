// Writes the ledger that a run of the row `scale` reads: ledgerFolder FOLDER COUNT.
import { writeLedger } from './ledgerOnDisk';
import { clock } from './views';

const [folder = '', count = ''] = process.argv.slice(2);
writeLedger(folder, Number(count), clock.at);
console.log('{}');
