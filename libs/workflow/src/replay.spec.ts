import { failureOf, PipelineError, type Failure } from '@autoposter/domain';
import type { ContentItem, StageJob, UnitOfWork } from '@autoposter/persistence';
import { replayDeadJob, withResumeFrom } from './replay';

const failure = (overrides: Partial<Failure> = {}): Failure => ({
  code: 'reddit_unreachable',
  kind: 'transient',
  message: 'No answer.',
  side: 'reddit',
  nextAction: 'Wait.',
  ...overrides,
});

/** A unit of work over one dead download job and its item. */
function unitOfWork(job: Partial<StageJob> | null, item: Partial<ContentItem> | null, replayed = true) {
  const dead = {
    id: 'job',
    stage: 'download',
    state: 'dead',
    subjectId: 'item',
    messageKey: 'item',
    journal: {},
    failure: null,
    requestNumber: 1,
    ...job,
  };
  const found = { id: 'item', state: 'failed', failedStage: 'download', version: 3, sourceRemovedAt: null, ...item };
  const calls = {
    replay: jest.fn((_id: string, _forget: readonly string[]) =>
      Promise.resolve(replayed ? { ...dead, state: 'requested', requestNumber: 2 } : null),
    ),
    transition: jest.fn((_id: string, _step: unknown) => Promise.resolve(true)),
    send: jest.fn((_jobs: unknown) => undefined),
    append: jest.fn((event: unknown) => event),
  };
  const uow = {
    jobs: { find: () => Promise.resolve(job === null ? null : dead), replay: calls.replay },
    items: { findForUpdate: () => Promise.resolve(item === null ? null : found), transition: calls.transition },
    outbox: { request: calls.send },
    history: { append: calls.append },
  };
  return { uow: uow as unknown as UnitOfWork, calls };
}

describe('replayDeadJob', () => {
  const replay = (uow: UnitOfWork) => replayDeadJob(uow, 'job', { actor: 'admin@example.org' });

  it('requests the job again, drops its checkpoints and makes the item active', async () => {
    const { uow, calls } = unitOfWork({ journal: { fetch: 'x', fetch$kept: 1 } }, {});
    expect(await replay(uow)).toMatchObject({ outcome: 'replayed', job: { state: 'requested' } });
    expect(calls.replay).toHaveBeenCalledWith('job', ['fetch$kept']);
    expect(calls.transition).toHaveBeenCalledWith('item', {
      fromVersion: 3,
      from: 'failed',
      to: 'downloading',
      patch: { failedStage: null },
    });
    expect(calls.send).toHaveBeenCalledTimes(1);
    expect(calls.append).toHaveBeenCalledWith(expect.objectContaining({ type: 'download.requested', actor: 'admin@example.org' }));
  });

  it('accepts an item that its dead job left in the active state', async () => {
    const { uow } = unitOfWork({}, { state: 'downloading', failedStage: null });
    expect(await replay(uow)).toMatchObject({ outcome: 'replayed' });
  });

  it.each<[string, Partial<StageJob> | null, Partial<ContentItem> | null, string]>([
    ['an unknown job', null, {}, 'Only failed jobs can be replayed; this one is gone.'],
    ['a job that is not dead', { state: 'running' }, {}, 'Only failed jobs can be replayed; this one is running.'],
    ['a collect job', { stage: 'collect' }, {}, 'A collect job cannot be replayed; run the subreddit again.'],
    ['a post job', { stage: 'post' }, {}, 'A post job cannot be replayed; put the post into the queue again.'],
    ['a register job', { stage: 'register' }, {}, 'A register job cannot be replayed; upload the file of the claim again under Rights.'],
    [
      'a job whose input is damaged',
      { stage: 'dmca', failure: failure({ resumeFrom: 'download' }) },
      {},
      'The file that dmca works on is damaged; retry the post, which starts again at download.',
    ],
    ['an item that was removed at its source', {}, { sourceRemovedAt: new Date() }, failureOf('item_removed_at_source').message],
    ['an item that moved on', {}, { state: 'ready' }, 'The post is no longer stopped at download; it is ready.'],
    ['an item that failed at another stage', {}, { failedStage: 'ai' }, 'The post is no longer stopped at download; it is failed.'],
    ['a deleted item', {}, null, 'The post is no longer stopped at download; it is gone.'],
  ])('refuses %s', async (_what, job, item, reason) => {
    const { uow, calls } = unitOfWork(job, item);
    expect(await replay(uow)).toEqual({ outcome: 'refused', reason });
    expect(calls.transition).not.toHaveBeenCalled();
    expect(calls.send).not.toHaveBeenCalled();
  });

  it('refuses a job whose stage has another open job for the item', async () => {
    const { uow, calls } = unitOfWork({}, {}, false);
    expect(await replay(uow)).toEqual({ outcome: 'refused', reason: 'This post is already being processed by download.' });
    expect(calls.transition).not.toHaveBeenCalled();
  });
});

describe('withResumeFrom', () => {
  it.each(['corrupt_media', 'integrity', 'not_found'] as const)('adds the producing stage to a failure of kind %s', async (kind) => {
    const work = withResumeFrom('download', Promise.reject(new PipelineError(failure({ kind }))));
    await expect(work).rejects.toMatchObject({ failure: { kind, resumeFrom: 'download' } });
  });

  it('passes results and other failures through', async () => {
    expect(await withResumeFrom('download', Promise.resolve(1))).toBe(1);
    const other = new PipelineError(failure({ kind: 'transient' }));
    await expect(withResumeFrom('download', Promise.reject(other))).rejects.toBe(other);
  });
});
