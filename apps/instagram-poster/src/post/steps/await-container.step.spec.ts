import type { UncheckedPolicy } from '@autoposter/contracts';
import { type ContainerStatus, type CopyrightCheck, type Failure, failureOf, type RightsCheck } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { stepContext } from '@autoposter/testkit';
import type { AccountSwitch } from '../../account/account-breaker';
import { FakePublisher } from '../../testing/publisher.fake';
import { awaitContainer } from './await-container.step';

const pace = { containerPollSeconds: 60 };
let publisher: FakePublisher;
beforeEach(() => {
  publisher = new FakePublisher();
});

describe('awaitContainer', () => {
  const CREATED = new Date('2026-05-01T09:00:00Z');
  const READY_ATTEMPT = {
    accountId: new FakePublisher().accountId,
    kind: 'reel',
    caption: 'Snow day.',
    createdAt: CREATED,
    calledAt: null,
    intentAt: null,
    answeredMediaId: null,
    calls: 0,
    rightsCheck: null,
  } as PublishAttempt;
  const CALLED = { calledAt: CREATED, calls: 1 };
  const LIMIT = failureOf('instagram_account_limit');
  let holds: object[];
  let checks: (object | null)[];
  beforeEach(() => {
    holds = [];
    checks = [];
  });
  interface Change {
    status?: ContainerStatus;
    earlier?: number;
    isPaused?: boolean;
    freeInSeconds?: number;
    attempt?: Partial<PublishAttempt>;
    context?: Partial<StepContext>;
    policy?: UncheckedPolicy;
    isVideo?: boolean;
  }
  const run = ({
    status = 'FINISHED',
    earlier = 0,
    isPaused = false,
    freeInSeconds,
    attempt = {},
    context = {},
    policy = 'hold',
    isVideo,
  }: Change) => {
    publisher.containers.set('c1', { request: {} as never, status });
    const tools = {
      publisher,
      pace,
      publishing: { isPaused: () => Promise.resolve(isPaused) },
      spacing: {
        freeAt: (_id: string, now: Date) =>
          Promise.resolve(freeInSeconds === undefined ? null : new Date(now.getTime() + freeInSeconds * 1000)),
      },
      ledger: { find: () => Promise.resolve({ ...READY_ATTEMPT, ...attempt }) },
      linked: { findLinked: () => Promise.resolve(new Set<string>()) },
      account: { hold: (held: object) => Promise.resolve(void holds.push(held)) } as unknown as AccountSwitch,
      rights: {
        policy: () => Promise.resolve(policy),
        keep: (_id: string, check: object | null) => Promise.resolve(void checks.push(check)),
      },
    };
    const input = { containerId: 'c1', quotaUsed: 0, earlier, ...(isVideo === undefined ? {} : { isVideo }) };
    return awaitContainer.run(input, tools, stepContext(context));
  };

  it('passes a finished container with the number of its calls', async () => {
    expect(await run({ attempt: { ...CALLED, calls: 5 } })).toMatchObject({ kind: 'done', output: { containerId: 'c1', calls: 5 } });
  });

  it('reads the account before another call, and only then', async () => {
    const published = { id: '1', caption: 'Snow day.', mediaType: 'VIDEO', productType: 'REELS', permalink: null };
    publisher.media.push({ ...published, timestamp: CREATED.toISOString() });
    expect(await run({ attempt: CALLED })).toMatchObject({ kind: 'unknown', failure: { code: 'publish_answer_lost' } });
    expect(await run({})).toMatchObject({ kind: 'done' });
  });

  it.each(['ERROR', 'EXPIRED'] as const)('makes no other container for a called one (%s) whose post is on the account', async (status) => {
    const attempt = { ...CALLED, caption: '' };
    publisher.statusText = 'Error: Media upload has failed with error code 2207077';
    expect(await run({ status, attempt })).toMatchObject({ kind: 'wait', redo: 'create-children' });
    const published = { id: '1', caption: null, mediaType: 'VIDEO', productType: 'REELS', permalink: null };
    publisher.media.push({ ...published, timestamp: CREATED.toISOString() });
    expect(await run({ status, attempt })).toMatchObject({ kind: 'unknown', failure: { code: 'publish_answer_lost' } });
  });

  it('publishes a called story again that a person reported as absent, whatever other stories the account shows', async () => {
    const story = { id: '1', caption: null, mediaType: 'VIDEO', productType: 'STORY', permalink: null };
    publisher.media.push({ ...story, timestamp: CREATED.toISOString() });
    const called = { ...CALLED, kind: 'story', absentAt: null } as const;
    expect(await run({ attempt: called })).toMatchObject({ kind: 'unknown', failure: { code: 'publish_answer_lost' } });
    expect(await run({ attempt: { ...called, absentAt: CREATED } })).toMatchObject({ kind: 'done', output: { containerId: 'c1' } });
  });

  it('prepares a called story again whatever other stories the account shows, because its container alone tells', async () => {
    const story = { id: '1', caption: null, mediaType: 'VIDEO', productType: 'STORY', permalink: null };
    publisher.media.push({ ...story, timestamp: CREATED.toISOString() });
    const change = { status: 'EXPIRED', attempt: { ...CALLED, kind: 'story' } } as const;
    expect(await run(change)).toMatchObject({ kind: 'wait', redo: 'create-children' });
  });

  it('reads the quota right before the call, and waits if it is used up', async () => {
    publisher.quota = () => Promise.resolve({ used: 7, total: 50, windowSeconds: 86_400 });
    expect(await run({})).toMatchObject({ kind: 'done', output: { quotaUsed: 7 } });
    publisher.quota = () => Promise.resolve({ used: 50, total: 50, windowSeconds: 86_400 });
    expect([await run({}), holds]).toMatchObject([{ kind: 'wait', seconds: 1800 }, [{ cause: 'quota' }]]);
  });

  const unchecked = (state: CopyrightCheck['state'], change: Change = {}) => {
    publisher.copyright = { state, matchesFound: false, matches: [] };
    return run(change);
  };
  const since = (minutes: number, state: RightsCheck['state'] = 'in_progress'): RightsCheck => ({
    state,
    since: new Date(stepContext().now.getTime() - minutes * 60_000).toISOString(),
    held: state !== 'in_progress',
  });

  it('waits while the copyright check of a reel runs, and holds it after an hour', async () => {
    expect(await unchecked('in_progress')).toMatchObject({ kind: 'wait', seconds: 60, reason: expect.stringContaining('still running') });
    expect(await unchecked('in_progress', { attempt: { rightsCheck: since(59) } })).toMatchObject({ kind: 'wait', seconds: 60 });
    expect(await unchecked('in_progress', { attempt: { rightsCheck: since(61) } })).toMatchObject({
      kind: 'wait',
      seconds: 300,
      reason: expect.stringContaining('held until'),
    });
    expect(checks).toMatchObject([
      { state: 'in_progress', held: false },
      { state: 'timed_out', held: true },
    ]);
  });

  it('holds a reel whose copyright check failed, by default', async () => {
    expect(await unchecked('error')).toMatchObject({ kind: 'wait', seconds: 300 });
    expect(checks).toMatchObject([{ state: 'error', held: true }]);
    expect(await unchecked('error', { policy: 'publish' })).toMatchObject({ kind: 'done' });
  });

  it('gives a check an hour to begin before it holds the reel', async () => {
    const waiting = { ...since(59, 'not_started'), held: false };
    expect(await unchecked('not_started')).toMatchObject({ kind: 'wait', seconds: 60 });
    expect(await unchecked('not_started', { attempt: { rightsCheck: waiting } })).toMatchObject({ kind: 'wait', seconds: 60 });
    const late = { ...since(61, 'not_started'), held: false };
    expect(await unchecked('not_started', { attempt: { rightsCheck: late } })).toMatchObject({ kind: 'wait', seconds: 300 });
    expect(checks).toMatchObject([
      { state: 'not_started', held: false },
      { state: 'not_started', held: true },
    ]);
    expect(await unchecked('not_started', { policy: 'publish' })).toMatchObject({ kind: 'done' });
  });

  it('forgets a check that passed and that of a spent container, but not who released the post', async () => {
    await unchecked('completed', { attempt: { rightsCheck: since(5, 'error') } });
    await run({ status: 'EXPIRED', attempt: { rightsCheck: since(5) } });
    expect(checks).toEqual([null, null]);
    await unchecked('error', { attempt: { rightsCheck: { ...since(5, 'error'), releasedBy: 'a' } } });
    await run({ status: 'EXPIRED', attempt: { rightsCheck: { ...since(5, 'error'), releasedBy: 'a' } } });
    expect(checks).toHaveLength(2);
  });

  it('publishes a held reel once the check passes or an administrator releases it', async () => {
    expect(await unchecked('completed', { attempt: { rightsCheck: since(5, 'error') } })).toMatchObject({ kind: 'done' });
    expect(await unchecked('error', { attempt: { rightsCheck: { ...since(5, 'error'), releasedBy: 'a' } } })).toMatchObject({
      kind: 'done',
    });
  });

  it('awaits the check of the video of a story, and holds it, but not its picture', async () => {
    const attempt = { kind: 'story' } as const;
    expect(await unchecked('in_progress', { attempt, isVideo: true })).toMatchObject({ kind: 'wait', seconds: 60 });
    expect(await unchecked('error', { attempt, isVideo: true })).toMatchObject({ kind: 'wait', seconds: 300 });
    expect(checks).toMatchObject([
      { state: 'in_progress', held: false },
      { state: 'error', held: true },
    ]);
    expect(await unchecked('error', { attempt, isVideo: false })).toMatchObject({ kind: 'done' });
  });

  it('does not hold pictures, nor what was called already, nor where the login has no check', async () => {
    expect(await unchecked('not_started', { attempt: { kind: 'image' } })).toMatchObject({ kind: 'done' });
    expect(await unchecked('error', { attempt: CALLED })).toMatchObject({ kind: 'done' });
    publisher.copyright = null;
    expect(await run({})).toMatchObject({ kind: 'done' });
  });

  it('publishes nothing on another account that was configured while the post was prepared', async () => {
    publisher.containerStatus = () => Promise.reject(new Error('asked'));
    const refused = { failure: { code: 'post_for_other_account' } };
    expect(await run({ attempt: { accountId: 'other' } })).toMatchObject({ kind: 'fail', ...refused });
    expect(await run({ attempt: { ...CALLED, accountId: 'other' } })).toMatchObject({ kind: 'unknown', ...refused });
  });

  it('makes no other call once an answer names the post', async () => {
    expect(await run({ attempt: { ...CALLED, answeredMediaId: '17' } })).toMatchObject({ kind: 'unknown' });
  });

  it('prepares lost media again, but not after a call, which may have published it', async () => {
    publisher.lost.add('c1');
    expect(await run({})).toMatchObject({ kind: 'wait', redo: 'create-children' });
    expect(await run({ earlier: 1 })).toMatchObject({ kind: 'fail', failure: { code: 'media_lost_twice' } });
    expect(await run({ attempt: CALLED })).toMatchObject({ kind: 'unknown', failure: { code: 'publish_answer_lost' } });
  });

  it.each([
    ['six calls for a finished container', { attempt: { ...CALLED, calls: 6 } }, 'container_refused'],
    ['25 calls that a limit of the account refused', { attempt: { ...CALLED, calls: 25, failure: LIMIT } }, 'container_refused'],
    ['a call for a container that failed for good', { status: 'ERROR', earlier: 1, attempt: CALLED }, null],
  ] as [string, Change, string | null][])('has an unknown result after %s', async (_what, change, code) => {
    expect(await run(change)).toMatchObject({ kind: 'unknown', ...(code === null ? {} : { failure: { code } }) });
  });

  it('calls again at most five times after a limit of the account refused the call, and names the limit in the end', async () => {
    const attempt = { ...CALLED, calls: 5, failure: LIMIT };
    expect(await run({ attempt })).toMatchObject({ kind: 'done', output: { calls: 5 } });
    expect(await run({ attempt: { ...attempt, calls: 6 } })).toMatchObject({
      failure: { message: expect.stringContaining('6 times to publish it: The account has called Instagram too often.') },
    });
  });

  it.each([
    ['publishing is paused', { isPaused: true }, 60],
    ['the interval is not over', { freeInSeconds: 90 }, 90],
    ['the blocked hours are long', { freeInSeconds: 7200 }, 900],
    ['the container is in progress', { status: 'IN_PROGRESS' }, 5],
  ] as [string, Change, number][])('waits while %s', async (_what, change, seconds) => {
    expect(await run(change)).toMatchObject({ kind: 'wait', seconds });
  });

  it('makes the container again if it expired', async () => {
    expect(await run({ status: 'EXPIRED' })).toMatchObject({ kind: 'wait', redo: 'create-children' });
  });

  it.each([
    ['a second error of the platform', { status: 'ERROR', earlier: 1 }, 'upstream_rejected'],
    ['two hours in progress', { status: 'IN_PROGRESS', context: { checkpoint: '2026-05-01T07:00:00.000Z' } }, 'upstream_rejected'],
  ] as [string, Change, Failure['kind']][])('fails after %s', async (_what, change, kind) => {
    expect(await run(change)).toMatchObject({ kind: 'fail', failure: { kind } });
  });

  it('has an unknown result if the container says that it was published', async () => {
    expect(await run({ status: 'PUBLISHED' })).toMatchObject({ kind: 'unknown', failure: { kind: 'unknown_outcome' } });
  });
});
