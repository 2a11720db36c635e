import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { stampOfFile } from '../../../../src/jsonl/files/publishing';
import { type diskCalls, FileWriteError, WholeFile } from '../../../../src/jsonl/files/wholeFile';
import { withDiskCalls } from '../../../helpers/diskCalls';
import { withFaultyDisk } from '../../../helpers/faultyDisk';

describe('jsonl/files/wholeFile', () => {
  let folder: string;
  let target: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whole-file-'));
    target = path.join(folder, 'a.jsonl');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('shows nothing under the final name until it is published', async () => {
    await writeFile(target, 'old');
    const file = await WholeFile.create(target);
    file.append(Buffer.from('new '));
    await file.appendAll([Buffer.from('bytes'), Buffer.from('!')]);
    assert.equal(file.byteLength, 10);
    assert.equal((await stat(file.partPath)).mode & 0o777, 0o600);
    assert.equal(path.dirname(file.partPath), folder);
    await file.finish();
    assert.equal(await readFile(target, 'utf8'), 'old');
    await file.publish();
    assert.equal(await readFile(target, 'utf8'), 'new bytes!');
    await file.discard();
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it('keeps two writers of one file apart: the last to publish wins completely', async () => {
    const [first, second] = await Promise.all([WholeFile.create(target), WholeFile.create(target)]);
    first.append(Buffer.from('first'));
    second.append(Buffer.from('second'));
    await Promise.all([first.finish(), second.finish()]);
    await first.publish();
    await second.publish();
    assert.equal(await readFile(target, 'utf8'), 'second');
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  describe('if only the known file may be replaced', () => {
    async function finished(): Promise<WholeFile> {
      const file = await WholeFile.create(target);
      file.append(Buffer.from('ours'));
      await file.finish();
      return file;
    }
    const publishedOver = async (file: WholeFile, stamp: string | undefined) => path.basename(await file.publishOver({ stamp }));

    it('replaces it, but not a newer one', async () => {
      await writeFile(target, 'old');
      const stamp = await stampOfFile(target);
      assert.equal(await publishedOver(await finished(), stamp), 'a.jsonl');
      await writeFile(target, 'edited');
      assert.equal(await publishedOver(await finished(), stamp), 'a-2.jsonl');
      assert.equal(await publishedOver(await finished(), undefined), 'a-3.jsonl');
      assert.deepEqual((await readdir(folder)).sort(), ['a-2.jsonl', 'a-3.jsonl', 'a.jsonl']);
      assert.equal(await readFile(target, 'utf8'), 'edited');
      assert.equal(await readFile(path.join(folder, 'a-3.jsonl'), 'utf8'), 'ours');
    });

    it('takes the next number if a folder or link of that name appeared', async () => {
      const [one, two] = [await finished(), await finished()];
      await mkdir(target);
      await symlink('nowhere', path.join(folder, 'a-2.jsonl'));
      assert.equal(await publishedOver(one, undefined), 'a-3.jsonl');
      assert.equal(await publishedOver(two, undefined), 'a-4.jsonl');
    });

    it('takes a name atomically on a disk without links too', async () => {
      for (const code of ['ENOTSUP', 'EPERM']) {
        await rm(target, { force: true });
        const [one, two] = [await finished(), await finished()];
        await withFaultyDisk('link', code, '.part', async () => {
          assert.equal(await publishedOver(one, undefined), 'a.jsonl');
          await writeFile(target, 'edited');
          assert.equal(await publishedOver(two, undefined), 'a-2.jsonl');
        });
        assert.equal(await readFile(target, 'utf8'), 'edited');
        assert.deepEqual((await readdir(folder)).sort(), ['a-2.jsonl', 'a.jsonl']);
        await rm(path.join(folder, 'a-2.jsonl'));
      }
    });
  });

  it("waits while another program blocks the file, and leaves everything if that doesn't end", async () => {
    await writeFile(target, 'old');
    for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
      const file = await WholeFile.create(target);
      await file.finish();
      await withFaultyDisk('rename', code, '.part', () => file.publish(), 2);
      assert.equal(await readFile(target, 'utf8'), '');
    }
    await writeFile(target, 'old');
    const file = await WholeFile.create(target);
    await file.finish();
    await withFaultyDisk('rename', 'EBUSY', '.part', () => assert.rejects(file.publish(), /in use by another program/));
    await file.discard();
    assert.equal(await readFile(target, 'utf8'), 'old');
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it('continues after a partial write', async () => {
    const file = await WholeFile.create(target);
    const writeMany: typeof diskCalls.writeMany = async (handle, chunks) =>
      (await handle.write(chunks[0] ?? Buffer.alloc(0), 0, Math.min(3, chunks[0]?.length ?? 0))).bytesWritten;
    await withDiskCalls({ writeMany }, () => file.appendAll([Buffer.from('abcdefg'), Buffer.from(''), Buffer.from('hi')]));
    await file.finish();
    await file.publish();
    assert.equal(await readFile(target, 'utf8'), 'abcdefghi');
  });

  it('fails to finish after a failed flush, which the system reports only once', async () => {
    const diskError = Object.assign(new Error('bad disk'), { code: 'EIO' });
    let asked = 0;
    const file = await WholeFile.create(target);
    file.append(Buffer.from('abc'));
    const sync = () => (asked++ === 0 ? Promise.reject(diskError) : Promise.resolve());
    await withDiskCalls({ sync }, async () => {
      file.flush();
      await assert.rejects(file.finish(), { name: FileWriteError.name, code: 'EIO' });
    });
    await file.discard();
    assert.deepEqual(await readdir(folder), []);
  });

  it('rejects a link or a folder at its path', async () => {
    await symlink(path.join(folder, 'elsewhere'), target);
    await assert.rejects(WholeFile.create(target), error => error instanceof FileWriteError && error.code === 'ENOTFILE');
    await rm(target);
    await mkdir(target);
    await assert.rejects(WholeFile.create(target), /it is a folder/);
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it("replaces a link's target with its permissions, unreadable for others until it is finished", async () => {
    const link = path.join(folder, 'link.jsonl');
    await mkdir(path.join(folder, 'there'));
    const there = path.join(folder, 'there', 'b.jsonl');
    await writeFile(there, 'old');
    await chmod(there, 0o640);
    await symlink(there, link);
    const file = await WholeFile.replace(link);
    assert.equal(path.dirname(file.partPath), path.dirname(file.path));
    assert.equal((await stat(file.partPath)).mode & 0o777, 0o600);
    file.append(Buffer.from('new'));
    await file.finish();
    await file.publish();
    assert.equal(await readFile(there, 'utf8'), 'new');
    assert.equal((await stat(there)).mode & 0o777, 0o640);
    assert.ok((await lstat(link)).isSymbolicLink());
    assert.deepEqual(await readdir(path.dirname(there)), ['b.jsonl']);
  });

  it('replaces nothing if there is no file', async () => {
    await assert.rejects(WholeFile.replace(target), { name: 'FileWriteError', code: 'ENOENT' });
    assert.deepEqual(await readdir(folder), []);
  });

  it('rejects a link that appeared while it was writing', async () => {
    const file = await WholeFile.create(target);
    await file.finish();
    await symlink(path.join(folder, 'elsewhere'), target);
    await assert.rejects(file.publish(), /it is a link/);
    await file.discard();
    assert.deepEqual(await readdir(folder), ['a.jsonl']);
  });

  it('removes leftovers of crashed processes, and nothing that may be in use', async () => {
    const dead = 2 ** 22 + 1;
    const left = `a.jsonl.${dead}-0123456789ab.part`;
    const kept = [
      `a.jsonl.${process.pid}-0123456789ab.part`,
      `a.jsonl.${dead}-00000000000a.part`,
      `b.jsonl.${dead}-0123456789ab.part`,
      'a.jsonl.mine.part',
    ];
    for (const name of [left, ...kept]) {
      await writeFile(path.join(folder, name), '');
      const age = name.includes('00000000000a') ? 5_000 : 3_600_000;
      await utimes(path.join(folder, name), new Date(Date.now() - age), new Date(Date.now() - age));
    }
    const file = await WholeFile.create(target);
    await file.discard();
    assert.deepEqual((await readdir(folder)).sort(), kept.sort());
  });

  it('reports that its folder is gone', async () => {
    await assert.rejects(WholeFile.create(path.join(folder, 'no', 'a')), /its folder does not exist any more/);
  });

  it('leaves the old file and index when the process is killed in the middle', async () => {
    const place = (name: string) => path.join(folder, name);
    const built = place('joinChild.mjs');
    // Builds with the options of the project, which include the WebAssembly.
    const { nodeOptions } = (await import(String(pathToFileURL('esbuild.mjs')))) as { readonly nodeOptions: BuildOptions };
    await build({
      ...nodeOptions,
      entryPoints: [path.join('test', 'unit', 'jsonl', 'joinChild.ts')],
      splitting: false,
      sourcemap: false,
      outdir: undefined,
      outfile: built,
      logLevel: 'warning',
    });
    const args = ['raw', 'lines', 'a.jsonl', 'index'].map(place);
    await writeFile(place('raw'), '{"custom_id":"b","result":{"type":"expired"}}\n{"custom_id":"a","result":{"type":"expired"}}\n');
    await writeFile(place('lines'), '0\ta\n1\tb\n');
    const run = (killAt: number) =>
      new Promise<string | null>(resolve => {
        fork(built, [...args, String(killAt)]).once('exit', (_, signal) => resolve(signal));
      });
    let killed = 0;
    for (const killAt of [1, 2, 4, 8, 16, 32, 1000]) {
      await writeFile(target, 'old');
      await writeFile(place('index'), 'old index');
      if ((await run(killAt)) !== 'SIGKILL') {
        break;
      }
      killed++;
      assert.equal(await readFile(target, 'utf8'), 'old');
      assert.equal(await readFile(place('index'), 'utf8'), 'old index');
    }
    assert.ok(killed >= 3, 'it died in the middle');
    assert.match(await readFile(target, 'utf8'), /"a".*\n.*"b".*\n$/);
  });
});
