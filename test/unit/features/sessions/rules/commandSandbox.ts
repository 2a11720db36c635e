import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const files: Readonly<Record<string, string>> = {
  a: 'needle\nline\n',
  b: 'other\nline\n',
  big: Array.from({ length: 5000 }, (_, line) => `line ${(line * 7919) % 5000}\n`).join(''),
  victim: 'untouched\n',
  changed: 'before\n',
  magic: '0 string x x\n',
  Makefile: 'test:\n\tpwd\n',
  'package.json': '{"name":"x","version":"1.0.0","scripts":{"test":"pwd"}}\n',
  'prog.c': 'int main(void) { return 0; }\n',
  'good.js': '1;\n',
  'evil.js': 'require("node:child_process").execFileSync("./evil");\n',
  'evil.py': 'import subprocess\nsubprocess.run(["./evil"])\n',
  'evil.pl': 'system("./evil");\n',
  'evil.mk': 'test: ; ./evil\n.PHONY: test\n',
  'evil.awk': 'BEGIN { system("./evil") }\n',
  'evil.sed': '1e./evil\n',
  'evil.m4': "esyscmd(`./evil')\n",
  'evil.curl': 'url=file:///etc/passwd\noutput=victim\n',
  'evil.ssh': 'Host *\n  ProxyCommand ./evil\n',
  'evil.ed': 'a\nmore\n.\nw\n',
  'evil.patch': '--- victim\n+++ victim\n@@ -1 +1 @@\n-untouched\n+changed\n',
  'src/a': 'needle\n',
  evil: '#!/bin/sh\necho ran > "$MARKER"\n',
};

/** Effect of a command in a sandbox. */
export interface Effect {
  readonly ran: boolean;
  /** Names of created, changed or deleted files. */
  readonly wrote: readonly string[];
}

/** A folder that detects harmful commands. `./evil` leaves a marker when it runs, and every changed file is reported. */
export class CommandSandbox {
  private readonly root = mkdtempSync(path.join(os.tmpdir(), 'rules-'));
  private readonly template = path.join(this.root, 'template');
  private readonly folder = path.join(this.root, 'folder');
  private readonly home = path.join(this.root, 'home');
  private readonly marker = path.join(this.root, 'marker');

  /** Creates the folder. `setup` is a shell command that prepares the folder. */
  constructor(setup = '') {
    for (const folder of ['src', 'bin']) {
      mkdirSync(path.join(this.template, folder), { recursive: true });
    }
    mkdirSync(this.home);
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(path.join(this.template, name), text);
    }
    for (const name of ['evil', 'git-evil', 'ls', 'cat', 'bin/evil', 'bin/ls']) {
      writeFileSync(path.join(this.template, name), files.evil ?? '');
      chmodSync(path.join(this.template, name), 0o755);
    }
    this.reset();
    if (setup !== '') {
      this.shell(setup);
      rmSync(this.template, { recursive: true });
      cpSync(this.folder, this.template, { recursive: true });
    }
  }

  /** Restores the initial content of the folder. */
  reset(): void {
    rmSync(this.folder, { recursive: true, force: true });
    cpSync(this.template, this.folder, { recursive: true });
  }

  /** Runs a command in a real shell. */
  run(command: string): Effect {
    const before = this.snapshot();
    rmSync(this.marker, { force: true });
    this.shell(command);
    const after = this.snapshot();
    const names = new Set([...before.keys(), ...after.keys()]);
    return { ran: existsSync(this.marker), wrote: [...names].filter(name => before.get(name) !== after.get(name)) };
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private shell(command: string): void {
    const { home: HOME, marker: MARKER } = this;
    const git = {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'x',
      GIT_AUTHOR_EMAIL: 'x',
      GIT_COMMITTER_NAME: 'x',
      GIT_COMMITTER_EMAIL: 'x',
    };
    const npm = { npm_config_offline: 'true', npm_config_update_notifier: 'false' };
    spawnSync('/bin/sh', ['-c', command], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME, MARKER, EVIL: './evil', ...git, ...npm },
      stdio: 'ignore',
      timeout: 5000,
      killSignal: 'SIGKILL',
    });
  }

  private snapshot(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const top of [this.folder, this.home]) {
      for (const name of readdirSync(top, { recursive: true, encoding: 'utf8' })) {
        const file = path.join(top, name);
        const { mode, mtimeMs, nlink } = lstatSync(file);
        const isFile = (mode & 0o170000) === 0o100000;
        found.set(file, `${mode} ${mtimeMs} ${nlink} ${isFile ? readFileSync(file, 'latin1') : ''}`);
      }
    }
    return found;
  }
}
