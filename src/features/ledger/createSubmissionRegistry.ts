import { type Clock, systemClock } from '../../common/clock';
import { Emitter } from '../../common/emitter';
import { Lazy } from '../../common/lazy';
import { describeError } from '../../common/text/describeError';
import { folderOf, type Submission } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

export interface SubmissionRegistryOptions {
  /** Folder that holds one folder per submission; made when first written to. */
  readonly folder: string;
  readonly log: { warn(message: string): void };
  readonly clock?: Clock;
}

/** The registry over one folder. Nothing is loaded, and nothing read, before `load`, `reload` or the first question. */
export function createSubmissionRegistry(options: SubmissionRegistryOptions): SubmissionRegistry {
  return new LateRegistry(options);
}

class LateRegistry implements SubmissionRegistry {
  private readonly changed = new Emitter<Submission>();
  private readonly registry: Lazy<SubmissionRegistry>;
  readonly root: string;
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: SubmissionRegistryOptions) {
    this.root = options.folder;
    this.registry = new Lazy<SubmissionRegistry>(async () => {
      const { FolderRegistry } = await import('./folderRegistry');
      const made = new FolderRegistry(options.folder, options.log, options.clock ?? systemClock);
      made.onDidChange(submission => this.changed.fire(submission));
      return made;
    });
  }

  all: SubmissionRegistry['all'] = () => this.known?.all() ?? [];
  find: SubmissionRegistry['find'] = id => this.known?.find(id);
  findByBatch: SubmissionRegistry['findByBatch'] = (...batch) => this.known?.findByBatch(...batch);
  findBySource: SubmissionRegistry['findBySource'] = source => this.known?.findBySource(source) ?? [];
  folder: SubmissionRegistry['folder'] = id => folderOf(this.root, id);
  // Nothing was prepared before it was loaded.
  letGo: SubmissionRegistry['letGo'] = id => this.registry.current?.letGo(id);

  load: SubmissionRegistry['load'] = async () => (await this.registry.get()).load();
  save: SubmissionRegistry['save'] = async submission => (await this.registry.get()).save(submission);
  update: SubmissionRegistry['update'] = async (...change) => (await this.registry.get()).update(...change);
  adopt: SubmissionRegistry['adopt'] = async (...link) => (await this.registry.get()).adopt(...link);
  forget: SubmissionRegistry['forget'] = async id => (await this.registry.get()).forget(id);
  remove: SubmissionRegistry['remove'] = async ids => (await this.registry.get()).remove(ids);
  reload: SubmissionRegistry['reload'] = async () => (await this.registry.get()).reload();
  catchUp: SubmissionRegistry['catchUp'] = async () => (await this.registry.get()).catchUp();
  prepare: SubmissionRegistry['prepare'] = async id => (await this.registry.get()).prepare(id);
  prepareInUse: SubmissionRegistry['prepareInUse'] = async id => (await this.registry.get()).prepareInUse(id);
  discard: SubmissionRegistry['discard'] = async id => (await this.registry.get()).discard(id);
  begin: SubmissionRegistry['begin'] = async (...begun) => (await this.registry.get()).begin(...begun);
  whileNoneBegins: SubmissionRegistry['whileNoneBegins'] = async action => (await this.registry.get()).whileNoneBegins(action);
  claimEndNotification: SubmissionRegistry['claimEndNotification'] = async id => (await this.registry.get()).claimEndNotification(id);

  dispose(): void {
    this.registry.dispose();
    this.changed.dispose();
  }

  /** The registry once it is loaded, which the first question begins. */
  private get known(): SubmissionRegistry | undefined {
    if (this.registry.current === undefined) {
      this.load().catch(error => this.options.log.warn(`Could not read the submissions in ${this.root}: ${describeError(error)}`));
    }
    return this.registry.current;
  }
}
