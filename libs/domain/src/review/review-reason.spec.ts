import { addReviewReasons, renderReviewReason, renderReviewReasons, replaceReviewReasons, reviewReason } from './review-reason';

const match = { title: 'Dusk', by: 'pdq', matched: 1, compared: 5, distance: 3 } as const;
const nsfw = reviewReason('nsfw_at_source');
const similar = reviewReason('resembles_work', match);
const link = reviewReason('contains_url');

describe('renderReviewReason', () => {
  it.each([
    [nsfw, 'Marked as not safe for work at the source.'],
    [similar, 'Looks in part like "Dusk" (1 of 5 pictures within 3 of 256 bits); please compare.'],
    [reviewReason('matches_claim', { ...match, by: 'sha256', compared: 1 }), 'Matches the claimed work "Dusk" (identical file).'],
    [
      reviewReason('posted_before', { ...match, by: 'sha256', compared: 4 }),
      'The same content was already posted as "Dusk" (1 of 4 files identical).',
    ],
    [reviewReason('too_many_hashtags', { count: 6, limit: 5 }), 'The caption has 6 hashtags; at most 5 are allowed.'],
    [
      reviewReason('gallery_shortened', { files: 12, used: 10 }),
      'The gallery has 12 files; one post takes 10, so the last 2 are left out.',
    ],
    [reviewReason('published_before', { permalink: null }), 'This post was published already.'],
    [reviewReason('published_before', { permalink: 'https://x' }), 'This post was published already (https://x).'],
    [
      reviewReason('removed_before'),
      'This post was published and taken down. Autoposter publishes a post only once; publish it again in the Instagram app.',
    ],
    ['A sentence of an older program.', 'A sentence of an older program.'],
    [reviewReason('stored_text', { text: 'A migrated sentence.', origin: 'rights' }), 'A migrated sentence.'],
  ])('renders %j', (reason, text) => {
    expect(renderReviewReason(reason)).toBe(text);
  });

  it('joins the sentences of several reasons', () => {
    expect(renderReviewReasons([nsfw, 'And this.'])).toBe('Marked as not safe for work at the source. And this.');
  });
});

describe('addReviewReasons', () => {
  it('adds each reason once, whatever the order of its fields', () => {
    const { distance, compared, matched, by, title } = match;
    const stored = [nsfw, { code: 'resembles_work', fields: { distance, compared, matched, by, title } } as const];
    expect(addReviewReasons(stored, [similar, link, link])).toEqual([...stored, link]);
  });

  it('keeps reasons of one code with other fields', () => {
    const other = reviewReason('resembles_work', { ...match, title: 'Dawn' });
    expect(addReviewReasons([similar], [other])).toEqual([similar, other]);
  });

  it('stores code and fields only', () => {
    const violation = { ...link, severity: 'review', message: 'A sentence.' };
    expect(addReviewReasons([], [violation])).toEqual([link]);
  });
});

describe('replaceReviewReasons', () => {
  const text = (origin: 'rights' | 'caption') => reviewReason('stored_text', { text: `Of ${origin}.`, origin });
  const stored = [nsfw, similar, link, text('rights'), text('caption'), 'Of an older program.'];

  it('replaces the reasons of a new caption and keeps the others', () => {
    const next = reviewReason('without_model');
    expect(replaceReviewReasons(stored, 'caption', [next])).toEqual([nsfw, similar, text('rights'), 'Of an older program.', next]);
  });

  it('replaces the reasons of a new rights check and keeps the others', () => {
    expect(replaceReviewReasons(stored, 'rights', [])).toEqual([nsfw, link, text('caption'), 'Of an older program.']);
  });

  it.each(['source', 'rights', 'caption'] as const)('keeps what an author said when the result of %s is new', (origin) => {
    const ended = renderReviewReason(reviewReason('permission_expired', { grantor: 'Ada' }));
    expect(ended).toBe('The permission of Ada has ended; ask for a new one on the Rights screen.');
    const said = [reviewReason('permission_refused', { grantor: 'Ada' }), reviewReason('permission_revoked', { grantor: 'Ada' })];
    expect(replaceReviewReasons(said, origin, [])).toEqual(said);
  });

  it('names what requires a permission', () => {
    expect(renderReviewReason(reviewReason('permission_missing', undefined))).toMatch(/^The subreddit requires the permission/u);
    expect(renderReviewReason(reviewReason('permission_missing', { by: 'account' }))).toMatch(/^The account requires the permission/u);
  });

  it.each(['reason_of_a_newer_program', 'constructor', '__proto__'])('keeps a reason that this version does not know: %s', (code) => {
    const unknown = { code, fields: { share: 0.4 } } as never;
    expect(renderReviewReason(unknown)).toBe(`A newer version of Autoposter found a reason for a review (${code}); please check the post.`);
    expect(renderReviewReasons([nsfw, unknown])).toMatch(/^Marked as .* A newer version/u);
    expect(replaceReviewReasons([unknown, nsfw], 'source', [])).toEqual([unknown]);
    expect(addReviewReasons([unknown], [nsfw])).toEqual([unknown, nsfw]);
  });
});
