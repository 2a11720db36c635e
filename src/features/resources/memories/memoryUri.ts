import * as vscode from 'vscode';
import { type MemoryPlace, memoryScheme, parseUriPath, toUriPath } from './memoryPlace';

/** The address of a place. */
export function toMemoryUri(place: MemoryPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: memoryScheme, path: toUriPath(place) });
}

/** What an address leads to. Throws for one that is none of ours. */
export function placeOf(uri: vscode.Uri): MemoryPlace {
  const place = uri.scheme === memoryScheme ? parseUriPath(uri.path) : undefined;
  if (place === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return place;
}
