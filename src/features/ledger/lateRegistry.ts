import { Emitter } from '../../common/emitter';
import { Lazy } from '../../common/lazy';
import { describeError } from '../../common/text/describeError';
import type { SubmissionRegistryOptions } from './createSubmissionRegistry';
import type { Submission } from './submission';
import { folderOf } from './submissionFolder';
import type { SubmissionRegistry } from './submissionRegistry';

/** The registry over one folder, whose work is loaded with the first question. */
export class LateRegistry implements SubmissionRegistry {
  private readonly changed = new Emitter<Submission>();
  private readonly registry: Lazy<SubmissionRegistry>;
  readonly root: string;
  readonly onDidChange = this.changed.event;

  constructor(private readonly options: SubmissionRegistryOptions) {
    this.root = options.folder;
    this.registry = new Lazy(async () => {
      const made = (await import('./createSubmissionRegistry')).createSubmissionRegistry(options);
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
