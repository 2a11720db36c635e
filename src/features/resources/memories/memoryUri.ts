import * as vscode from 'vscode';
import { type MemoryPlace, memoryScheme, parseUriPath, toUriPath } from './memoryPlace';

/** Returns the URI of a memory or folder. */
export function toMemoryUri(place: MemoryPlace): vscode.Uri {
  return vscode.Uri.from({ scheme: memoryScheme, path: toUriPath(place) });
}

/** Parses a memory URI. Throws for any other URI. */
export function placeOf(uri: vscode.Uri): MemoryPlace {
  const place = uri.scheme === memoryScheme ? parseUriPath(uri.path) : undefined;
  if (place === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return place;
}
