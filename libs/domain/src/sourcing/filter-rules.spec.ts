import type { SourcePost } from './content-source.port';
import { refusalOf, unusableOf, type CollectFilters } from './filter-rules';

const NOW = new Date('2026-01-02T12:00:00Z');
const filters: CollectFilters = {
  minScore: 10,
  maxAge: 24,
  allowNSFW: false,
  allowVideos: true,
  allowImages: false,
  allowGalleries: false,
  excludeStickied: true,
};
const post = (change: Partial<SourcePost> = {}): SourcePost => ({
  platform: 'reddit',
  sourceId: 'abc123',
  permalink: 'https://www.reddit.com/r/aww/comments/abc123/',
  title: 'A dog',
  author: 'someone',
  subreddit: 'aww',
  postType: 'video',
  media: [],
  unfetchable: null,
  nsfw: false,
  spoiler: false,
  stickied: false,
  removed: false,
  score: 10,
  upvoteRatio: 0.9,
  likes: null,
  createdAt: '2026-01-01T12:00:00Z',
  ...change,
});

describe('refusalOf', () => {
  it('accepts a post that is exactly on every limit', () => {
    expect(refusalOf(post(), filters, NOW)).toBeNull();
  });

  it.each([
    [{ score: 9 }, 'min_score_filter'],
    [{ createdAt: '2026-01-01T11:59:00Z' }, 'max_age_filter'],
    [{ nsfw: true }, 'nsfw_filter'],
    [{ postType: 'image' as const }, 'content_type_filter'],
    [{ postType: 'gallery' as const }, 'content_type_filter'],
    [{ postType: 'text' as const }, 'content_type_filter'],
    [{ stickied: true }, 'stickied_filter'],
    [{ removed: true }, 'other'],
    [{ unfetchable: 'The video is on another site.' }, 'unsupported_format'],
  ])('refuses %p with %s', (change, reason) => {
    expect(refusalOf(post(change), filters, NOW)?.reason).toBe(reason);
  });

  it('names the first rule that refuses when several do', () => {
    expect(refusalOf(post({ score: 0, nsfw: true, stickied: true }), filters, NOW)?.reason).toBe('min_score_filter');
    expect(refusalOf(post({ nsfw: true, stickied: true }), filters, NOW)?.reason).toBe('nsfw_filter');
  });

  it('never lets a text post through, whatever is allowed', () => {
    const open = { ...filters, allowImages: true, allowGalleries: true };
    expect(refusalOf(post({ postType: 'text' }), open, NOW)?.info).toContain('text');
  });
});

describe('unusableOf', () => {
  it('asks a pasted post nothing that a subreddit decides', () => {
    expect(unusableOf(post({ score: 0, nsfw: true, stickied: true, postType: 'gallery' }))).toBeNull();
  });

  it.each([
    ['text', 'A text post has no picture or video to use.'],
    ['link', 'A link post has no picture or video to use.'],
    ['other', 'This post has no picture or video to use.'],
  ] as const)('explains in a correct sentence why a post of type %s is refused', (postType, info) => {
    expect(unusableOf(post({ postType }))?.info).toBe(info);
  });

  it.each([
    [{ postType: 'text' as const, unfetchable: 'A text post has no picture or video.' }, 'content_type_filter'],
    [{ postType: 'link' as const }, 'content_type_filter'],
    [{ unfetchable: 'The video is on another site.' }, 'unsupported_format'],
  ])('refuses %p with %s, as a subreddit does', (change, reason) => {
    expect(unusableOf(post(change))?.reason).toBe(reason);
    expect(refusalOf(post(change), { ...filters, allowImages: true }, NOW)).toEqual(unusableOf(post(change)));
  });
});
