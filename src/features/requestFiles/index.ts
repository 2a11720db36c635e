import type * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs';
import type { Connections } from '../connection/connection';
import type { RuleSettings } from '../jsonl/ruleSettings';

export interface RequestFilesDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
}

/** Commands that make request files: out of rows and a template, out of other formats, and out of each other. */
export function registerRequestFiles(deps: RequestFilesDependencies): vscode.Disposable {
  const { commands } = deps;
  return combine(
    commands.register('managedAgents.file.build', async file => (await import('./buildRequests')).buildRequests(deps, file)),
    commands.register('managedAgents.template.create', async rows => (await import('./createTemplate')).createTemplate(deps, rows)),
    commands.register('managedAgents.template.preview', async uri => (await import('./previewTemplate')).previewTemplate(deps, uri)),
    commands.register('managedAgents.file.convert', async file => (await import('./convertFile')).convertFile(deps, file)),
    commands.register('managedAgents.file.split', async file => (await import('./splitFile')).splitFile(deps, file)),
    commands.register('managedAgents.file.merge', async (file, selected) =>
      (await import('./mergeFiles')).mergeFiles(deps, file, selected),
    ),
    commands.register('managedAgents.file.shuffle', async file => (await import('./shuffleFile')).shuffleFile(deps, file)),
    commands.register('managedAgents.file.sample', async file => (await import('./sampleFile')).sampleFile(deps, file)),
    commands.register('managedAgents.file.removeDuplicates', async file =>
      (await import('./removeDuplicates')).removeDuplicates(deps, file),
    ),
  );
}
