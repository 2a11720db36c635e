import * as vscode from 'vscode';
import { type MemoryLocation, memoryScheme, parseUriPath, toUriPath } from './memoryLocation';

/** Returns the URI of a memory or folder. */
export function toMemoryUri(place: MemoryLocation): vscode.Uri {
  return vscode.Uri.from({ scheme: memoryScheme, path: toUriPath(place) });
}

/** Parses a memory URI. Throws for any other URI. */
export function memoryLocationOf(uri: vscode.Uri): MemoryLocation {
  const place = uri.scheme === memoryScheme ? parseUriPath(uri.path) : undefined;
  if (place === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return place;
}
