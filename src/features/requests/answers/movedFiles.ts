import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { showInformation } from '../../../common/asking/notifications';
import type { Log } from '../../../common/log';
import { toLabel } from '../../../shared/text';
import { applyRenames, type Submission, type SubmissionRegistry } from '../../ledger';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { joinedPathsOf } from './answerRuns';

type Move = Parameters<typeof applyRenames>[1][number];

interface FileOnDisk {
  readonly uri: vscode.Uri;
  readonly bytes: number;
  hash(): Promise<string>;
  exists(path: string): Promise<boolean>;
}

/**
 * Returns the renames to record if a file without runs has the content of a sent file that no longer exists. Includes result files that are
 * now next to the new file. Empty if the content was never sent, or if the sent file still exists.
 */
export async function findMoves(all: readonly Submission[], { uri, bytes, hash, exists }: FileOnDisk): Promise<readonly Move[]> {
  const sameSize = all.filter(({ fileBytes }) => fileBytes === bytes);
  if (sameSize.length === 0 || all.some(({ source }) => source === uri.toString())) {
    return [];
  }
  const sha256 = await hash();
  const sources = new Set(sameSize.filter(one => one.sha256 === sha256 && one.source.startsWith('file:')).map(({ source }) => source));
  for (const source of sources) {
    const old = vscode.Uri.parse(source);
    if (await exists(old.fsPath)) {
      continue;
    }
    const results = all.filter(one => one.source === source).flatMap(joinedPathsOf);
    const beside: Move[] = [];
    for (const joined of new Set(results)) {
      const now = path.join(path.dirname(uri.fsPath), path.basename(joined));
      if (!(await exists(joined)) && (await exists(now))) {
        beside.push(toMove(vscode.Uri.file(joined), vscode.Uri.file(now)));
      }
    }
    return [toMove(old, uri), ...beside];
  }
  return [];
}

function toMove(from: vscode.Uri, to: vscode.Uri): Move {
  return { from: from.toString(), to: to.toString(), fromPath: from.fsPath, toPath: to.fsPath };
}

/** Offers the answers of a request file that was moved outside VS Code. Asks once per opened file. */
export function offerMovedAnswers(documents: RequestDocuments, registry: SubmissionRegistry, log: Log): vscode.Disposable {
  const offered = new Set<string>();
  const offer = async ({ document: { uri } }: OpenRequestFile) => {
    if (uri.scheme !== 'file' || offered.has(uri.toString())) {
      return;
    }
    await registry.load();
    const { size } = await stat(uri.fsPath);
    const moves = await findMoves(registry.all(), { uri, bytes: size, hash: () => hashOf(createReadStream(uri.fsPath)), exists });
    const [move] = moves;
    if (move === undefined) {
      return;
    }
    offered.add(uri.toString());
    const show = vscode.l10n.t('Show');
    const message = vscode.l10n.t('This content was sent as {0}.', toLabel(move.fromPath, 200));
    if ((await showInformation(message, show)) === show) {
      await applyRenames(registry, moves);
    }
  };
  const offerLater = (file: OpenRequestFile) => {
    offer(file).catch(error => log.warn(`Could not look for answers to the content of ${file.document.uri}: ${String(error)}`));
  };
  documents.all().forEach(offerLater);
  return documents.onDidOpen(offerLater);
}

/** Returns the SHA-256 of content that is passed in pieces. */
export async function hashOf(pieces: AsyncIterable<unknown>): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of pieces) {
    digest.update(piece as Uint8Array);
  }
  return digest.digest('hex');
}
