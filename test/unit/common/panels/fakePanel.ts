import type * as vscode from 'vscode';
import { EventEmitter, Uri } from '../../../helpers/vscode';

/** A webview panel whose page the test plays. */
export class FakePanel {
  readonly posted: unknown[] = [];
  readonly received = new EventEmitter<unknown>();
  readonly changed = new EventEmitter<void>();
  readonly disposed = new EventEmitter<void>();
  reveals = 0;
  isDisposed = false;
  visible = true;
  title = 'Restored';
  readonly viewColumn = 1;
  private readonly shown = {
    ...{ options: {}, html: '', cspSource: 'source:', onDidReceiveMessage: this.received.event, asWebviewUri: (uri: Uri) => uri },
    postMessage: async (message: unknown) => this.visible && this.posted.push(message) > 0,
  };

  /** As in VS Code, throws when the panel was closed. */
  get webview(): FakePanel['shown'] {
    if (this.isDisposed) {
      throw new Error('Webview is disposed');
    }
    return this.shown;
  }

  get onDidChangeViewState(): vscode.Event<void> {
    return this.changed.event;
  }

  get onDidDispose(): vscode.Event<void> {
    return this.disposed.event;
  }

  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }

  reveal(): void {
    this.reveals++;
  }

  setVisible(isVisible: boolean): void {
    this.visible = isVisible;
    this.changed.fire();
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.disposed.fire();
    }
  }
}

export const extension = Uri.file('/extension') as vscode.Uri;
