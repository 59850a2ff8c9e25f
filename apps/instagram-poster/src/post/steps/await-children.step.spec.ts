import type { ContainerStatus } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { MediaFile, PublishAttempt } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import { FakePublisher } from '../../testing/publisher.fake';
import { awaitChildren } from './await-children.step';
import type { Prepared } from './create-children.step';

const pace = { containerPollSeconds: 60 };
let publisher: FakePublisher;
beforeEach(() => {
  publisher = new FakePublisher();
});

describe('awaitChildren', () => {
  let kept: (object | null)[];
  beforeEach(() => (kept = []));
  interface Change {
    earlier?: number;
    context?: Partial<StepContext>;
    rightsCheck?: PublishAttempt['rightsCheck'];
    types?: MediaFile['mediaType'][];
  }
  const run = async (
    status: ContainerStatus,
    { earlier = 0, context = {}, rightsCheck = null, types = ['image', 'video'] }: Change = {},
  ) => {
    publisher.containers.set('one', { request: {} as never, status: 'FINISHED' });
    publisher.containers.set('two', { request: {} as never, status });
    const input = {
      children: ['one', 'two'],
      files: types.map((mediaType) => ({ mediaType })),
      earlier,
    } as unknown as Prepared;
    const tools = {
      publisher,
      pace,
      ledger: { find: () => Promise.resolve({ id: 'attempt-1', kind: 'carousel', rightsCheck } as PublishAttempt) },
      rights: {
        policy: () => Promise.resolve('hold' as const),
        keep: (_id: string, check: object | null) => Promise.resolve(void kept.push(check)),
      },
    };
    return awaitChildren.run(input, tools, stepContext(context));
  };

  it('passes when all files are ready', async () => {
    expect(await run('FINISHED')).toMatchObject({ kind: 'done' });
  });

  it('waits while a file is being prepared, for two hours at most', async () => {
    expect(await run('IN_PROGRESS')).toMatchObject({ kind: 'wait', seconds: 5 });
    expect(await run('IN_PROGRESS', { context: { checkpoint: '2026-05-01T07:59:00.000Z' } })).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected' },
    });
  });

  it('makes the containers again if one expired, and once if one is lost', async () => {
    expect(await run('EXPIRED')).toMatchObject({ kind: 'wait', redo: 'create-children' });
    publisher.lost.add('two');
    expect(await run('FINISHED')).toMatchObject({ kind: 'wait', redo: 'create-children' });
    expect(await run('FINISHED', { earlier: 1 })).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected', file: { number: 2, of: 2 } },
    });
  });

  it('fails for a copyright match and throws for a file that was published', async () => {
    await expect(run('PUBLISHED')).rejects.toThrow('published');
    publisher.copyright = { state: 'completed', matchesFound: true, matches: [] };
    expect(await run('FINISHED')).toMatchObject({ kind: 'fail', failure: { kind: 'rights_blocked' } });
  });

  it.each([
    ['in_progress', 60, false],
    ['error', 300, true],
  ] as const)('waits while the copyright check of a video is %s', async (state, seconds, held) => {
    publisher.copyright = { state, matchesFound: false, matches: [] };
    expect(await run('FINISHED')).toMatchObject({ kind: 'wait', seconds });
    expect(kept).toMatchObject([{ state, held }]);
    expect(await run('FINISHED', { types: ['image', 'image'] })).toMatchObject({ kind: 'done' });
  });

  it('passes an unchecked video that an administrator released, and forgets the check of containers that expired', async () => {
    publisher.copyright = { state: 'error', matchesFound: false, matches: [] };
    const known = { state: 'error', since: '2026-05-01T07:59:00.000Z', held: true } as const;
    expect(await run('FINISHED', { rightsCheck: { ...known, releasedBy: 'a' } })).toMatchObject({ kind: 'done' });
    expect(await run('EXPIRED', { rightsCheck: known })).toMatchObject({ kind: 'wait', redo: 'create-children' });
    expect(kept).toEqual([null]);
  });

  it('throws a refusal that says nothing about the container', async () => {
    publisher.containerStatus = failing('transient');
    await expect(run('FINISHED')).rejects.toMatchObject({ failure: { kind: 'transient' } });
  });
});
