// Runs test suites and closes with one line, `N passed, N failed`:
//   node test/run.mjs unit contract [--only PART-OF-A-FILE-NAME] [--grep TEXT]
// Exit code 0 when everything passed, 1 otherwise.
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { plugins } from '../esbuild.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' }, grep: { type: 'string' } } });
