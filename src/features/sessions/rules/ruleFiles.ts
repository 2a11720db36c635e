import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { type ApprovalRule, parseRule } from './approvalRule';

/** Rules of this machine as currently stored. `damaged`: paths of invalid files. If there are any, no rule may decide. */
export interface StoredRules {
  readonly rules: readonly ApprovalRule[];
  readonly damaged: readonly string[];
}

const end = '.rule.json';
const maxRules = 200;
const longest = 1_000_000;

/** The rules of this machine, one file each so that windows don't overwrite each other. Read again for every decision. */
export class RuleFiles {
  /** `folder` is created with the first rule. */
  constructor(readonly folder: string) {}

  /** Returns all rules in order of creation. Rejects if the disk fails. */
  async read(): Promise<StoredRules> {
    const rules: ApprovalRule[] = [];
    const damaged: string[] = [];
    const names = ((await readdir(this.folder).catch(undefinedIfMissing)) ?? []).filter(name => name.endsWith(end)).sort();
    for (const name of names.slice(0, maxRules + 1)) {
      const rule = await this.readOne(name);
      if (rule === 'damaged') {
        damaged.push(path.join(this.folder, name));
      } else if (rule !== undefined) {
        rules.push(rule);
      }
    }
    if (rules.length > maxRules) {
      damaged.push(this.folder);
    }
    rules.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1));
    return { rules, damaged };
  }

  /** Saves a rule, completely or not at all. Rejects if it could not be written. */
  async write(rule: ApprovalRule): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await WholeFile.write(this.fileOf(rule.id), `${JSON.stringify(rule, null, 2)}\n`);
  }

  /** Turns a saved rule on or off. Returns false if it is gone. */
  async switch(id: string, isOn: boolean): Promise<boolean> {
    const rule = (await this.read()).rules.find(each => each.id === id);
    if (rule !== undefined && rule.isOn !== isOn) {
      await this.write({ ...rule, isOn });
    }
    return rule !== undefined;
  }

  async remove(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true });
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}${end}`);
  }

  private async readOne(name: string): Promise<ApprovalRule | 'damaged' | undefined> {
    const json = await readFile(path.join(this.folder, name), 'utf8').catch(undefinedIfMissing);
    if (json === undefined) {
      return undefined;
    }
    try {
      const rule = json.length > longest ? undefined : parseRule(json);
      return rule !== undefined && `${rule.id}${end}` === name ? rule : 'damaged';
    } catch {
      return 'damaged';
    }
  }
}
