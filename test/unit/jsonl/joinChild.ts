// Runs in its own process. Joins results and kills itself at the n-th call that reaches the disk.
import { fsyncSync, writeSync } from 'node:fs';
import { diskCalls } from '../../../src/jsonl/files/wholeFile';
import { joinResults } from '../../../src/jsonl/results/resultsJoin';

const [rawPath = '', linesPath = '', joinedPath = '', indexPath = '', killAt] = process.argv.slice(2);
let step = 0;

function count(): void {
  step++;
  if (step === Number(killAt)) {
    process.kill(process.pid, 'SIGKILL');
  }
}

const calls: Partial<typeof diskCalls> = {
  write: (file, bytes, offset) => {
    count();
    // Writes half of the remaining bytes at a time, so that the process can die between two writes.
    return writeSync(file.fd, bytes, offset, Math.ceil((bytes.length - offset) / 2));
  },
  sync: async file => {
    count();
    fsyncSync(file.fd);
    count();
  },
};
Object.assign(diskCalls, calls);
await joinResults({ rawPath, linesPath, joinedPath, indexPath }, { throwIfAborted: () => {}, progress: () => {} });
