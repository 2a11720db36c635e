import * as vscode from 'vscode';
import type { RowsFormat } from '../../../jsonl/building/rowsReport';

interface Entry {
  readonly template: string;
  readonly rows: string;
  readonly format?: RowsFormat;
}

const key = 'managedAgents.rowsOfTemplates';
/** Maximum number of templates to remember, newest first. */
const mostEntries = 100;

/** Rows that each template was last used with, and the format the user chose for them. Stored in the workspace. */
export class RowsOfTemplates implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires with the template. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: vscode.Memento) {}

  find(template: vscode.Uri): { readonly rows: vscode.Uri; readonly format: RowsFormat | undefined } | undefined {
    const entry = this.entries().find(one => one.template === template.toString());
    return entry && { rows: vscode.Uri.parse(entry.rows, true), format: entry.format };
  }

  async remember(template: vscode.Uri, rows: vscode.Uri, format: RowsFormat | undefined): Promise<void> {
    const entry: Entry = { template: template.toString(), rows: rows.toString(), ...(format && { format }) };
    const others = this.entries().filter(one => one.template !== entry.template);
    await this.state.update(key, [entry, ...others].slice(0, mostEntries));
    this.changed.fire(template);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private entries(): readonly Entry[] {
    return this.state.get<readonly Entry[]>(key, []);
  }
}
