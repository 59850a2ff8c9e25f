import { DEFAULT_SUBREDDIT_FILTERS } from '@autoposter/contracts';
import type { SourcePost, SubredditSource } from '@autoposter/domain';
import type { CollectRun, Subreddit } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import { collectStage } from './collect.stage';
import { applyFilters } from './steps/apply-filters.step';
import { dropClaimed } from './steps/drop-claimed.step';
import { dropKnown, type KnownPost } from './steps/drop-known.step';
import { listPosts } from './steps/list-posts.step';

const post = (sourceId: string, change: Partial<SourcePost> = {}): SourcePost =>
  ({
    platform: 'reddit',
    sourceId,
    title: `Post ${sourceId}`,
    postType: 'video',
    media: [],
    unfetchable: null,
    nsfw: false,
    stickied: false,
    removed: false,
    score: 100,
    createdAt: '2026-05-01T09:00:00Z',
    ...change,
  }) as SourcePost;

const input = {
  run: { id: 'run-1' } as CollectRun,
  subreddit: { name: 'aww', timePeriod: 'week', postsToFetch: 7, filters: { ...DEFAULT_SUBREDDIT_FILTERS, allowNSFW: false } } as Subreddit,
};

describe('collectStage', () => {
  it('reserves a slot for jobs that a person waits for', () => expect(collectStage.limits.slotsForPeople).toBe(1));
});

describe('listPosts', () => {
  it('requests the top posts of the subreddit with its settings', async () => {
    const listTop = jest.fn(() => Promise.resolve([post('a')]));
    const result = await listPosts.run(input, { reddit: { listTop } }, stepContext({ forPerson: true }));
    expect(result).toMatchObject({ kind: 'done', output: { posts: [{ sourceId: 'a' }], subreddit: { name: 'aww' } } });
    expect(listTop).toHaveBeenCalledWith('aww', 'week', 7, true);
  });

  it.each(['not_authorised', 'not_configured'] as const)('skips an automatic run when Reddit is %s', async (kind) => {
    const reddit: SubredditSource = { listTop: failing(kind) };
    expect(await listPosts.run(input, { reddit }, stepContext())).toMatchObject({ kind: 'skip', reason: 'other', evidence: { kind } });
  });

  it('skips an automatic run without credentials, and fails a requested one', async () => {
    expect(await listPosts.run(input, { reddit: null }, stepContext())).toMatchObject({
      kind: 'skip',
      evidence: { kind: 'not_configured' },
    });
    await expect(listPosts.run(input, { reddit: null }, stepContext({ forPerson: true }))).rejects.toMatchObject({
      failure: { kind: 'not_configured' },
    });
  });

  it.each(['transient', 'rate_limited', 'not_found'] as const)('throws a failure that is %s', async (kind) => {
    await expect(listPosts.run(input, { reddit: { listTop: failing(kind) } }, stepContext())).rejects.toMatchObject({ failure: { kind } });
  });
});

describe('dropKnown', () => {
  const run = (known: Record<string, Partial<KnownPost>>) => {
    const findKnown = () =>
      Promise.resolve(
        new Map(Object.entries(known).map(([id, one]) => [id, { id: `item-${id}`, removed: false, interrupted: false, ...one }])),
      );
    return dropKnown.run({ ...input, posts: ['a', 'b', 'c', 'd'].map((id) => post(id)) }, { known: { findKnown } }, stepContext());
  };

  it('separates new, known, removed and interrupted posts', async () => {
    expect(await run({ b: {}, c: { removed: true }, d: { interrupted: true } })).toMatchObject({
      kind: 'done',
      output: { listed: 4, posts: [{ sourceId: 'a' }], removedBefore: [{ sourceId: 'c' }], interrupted: ['item-d'] },
    });
  });

  it('keeps every post of a new subreddit', async () => {
    const result = await run({});
    expect(result.kind === 'done' && result.output.posts).toHaveLength(4);
  });
});

describe('dropClaimed', () => {
  const listed = { ...input, listed: 2, removedBefore: [], interrupted: [] };

  it('separates posts that a claim names, with the claim as the reason', async () => {
    const onTargets = jest.fn(() =>
      Promise.resolve([{ id: 'claim-1', title: 'Dusk', target: { kind: 'author' as const, key: 'reddit:painter' }, allowed: [] }]),
    );
    const posts = [post('a', { author: 'Painter' }), post('b', { author: 'other' })];
    const result = await dropClaimed.run({ ...listed, posts }, { claims: { onTargets } }, stepContext());
    if (result.kind !== 'done') throw new Error('the step did not end');
    expect(result.output).toMatchObject({ posts: [{ sourceId: 'b' }], claimed: [{ post: { sourceId: 'a' } }] });
    const filtered = await applyFilters.run(result.output, {}, stepContext());
    expect(filtered).toMatchObject({
      output: {
        accepted: [{ sourceId: 'b' }],
        skipped: [{ post: { sourceId: 'a' }, refusal: { reason: 'dmca_failure', info: 'The author of this post is claimed: "Dusk".' } }],
      },
    });
    expect(onTargets).toHaveBeenCalledTimes(1);
  });
});

describe('applyFilters', () => {
  const run = (posts: SourcePost[], removedBefore: SourcePost[] = []) =>
    applyFilters.run({ ...input, listed: posts.length, posts, claimed: [], removedBefore, interrupted: ['item-1'] }, {}, stepContext());

  it('accepts what the filters allow and passes interrupted items on', async () => {
    expect(await run([post('a')])).toMatchObject({
      kind: 'done',
      output: { listed: 1, accepted: [{ sourceId: 'a' }], skipped: [], interrupted: ['item-1'] },
    });
  });

  it.each([
    ['min_score_filter', { score: 0 }],
    ['max_age_filter', { createdAt: '2026-04-01T09:00:00Z' }],
    ['nsfw_filter', { nsfw: true }],
    ['content_type_filter', { postType: 'text' }],
    ['stickied_filter', { stickied: true }],
    ['unsupported_format', { unfetchable: 'It is hosted elsewhere.' }],
  ] as const)('skips a post with %s', async (reason, change) => {
    expect(await run([post('a', change)])).toMatchObject({ output: { accepted: [], skipped: [{ refusal: { reason } }] } });
  });

  it('skips a post that a person removed earlier', async () => {
    expect(await run([], [post('a')])).toMatchObject({
      output: { skipped: [{ post: { sourceId: 'a' }, refusal: { reason: 'duplicate_post' } }] },
    });
  });
});
