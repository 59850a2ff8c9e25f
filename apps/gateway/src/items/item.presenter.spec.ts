import { contentItemSchema, downloadSchema, readyForDmcaSchema } from '@autoposter/contracts';
import { MediaLinks } from '../media/media-links';
import type { ItemRow, MediaRow } from '@autoposter/persistence';
import { ItemPresenter } from './item.presenter';

const now = new Date('2026-05-05T10:00:00Z');
const present = new ItemPresenter(
  new MediaLinks(
    [Buffer.from('key')],
    () => ({ sessionId: '01890000-0000-7000-8000-000000000009', email: 'a@b.c', expiresAt: new Date('2026-05-06') }),
    () => now,
  ),
);

const file = (role: MediaRow['role'], values: Partial<MediaRow> = {}): MediaRow => ({
  role,
  position: 0,
  media_type: 'video',
  object_key: `${role}s/ab/secret-place.mp4`,
  file_name: `${role}.mp4`,
  content_type: 'video/mp4',
  bytes: 1000,
  sha256: 'ab',
  width: 1080,
  height: 1920,
  duration_seconds: 10,
  storage_type: 'cdn',
  ...values,
});

const row = (values: Partial<ItemRow> = {}): ItemRow => ({
  id: '01890000-0000-7000-8000-000000000001',
  platform: 'reddit',
  source_id: '1abcde',
  original_url: 'https://www.reddit.com/comments/1abcde',
  title: 'A title',
  author: 'an_author',
  subreddit: 'aww',
  post_type: 'video',
  media_type: 'video',
  score: 7,
  upvote_ratio: 0.9,
  likes: null,
  top_comments: [
    { id: 'c', author: 'x', score: 3, body: 'nice', replies: 900, replyList: [{ id: 'r', author: 'y', score: 1, body: 'so true' }] },
  ],
  auto_process_stage: 'dmcaProtection',
  state: 'ready',
  failed_stage: null,
  needs_review: false,
  review_reasons: [],
  version: 1,
  retry_count: 0,
  max_retries: 3,
  processing_errors: [],
  created_at: now,
  updated_at: now,
  created_text: '2026-05-05 10:00:00+00',
  media: [file('original'), file('processed', { bytes: 500 }), file('cover', { media_type: 'image' })],
  caption: {
    caption: 'Words',
    hashtags: ['one'],
    variations: [],
    analysis: null,
    visuals: { visualContent: 'a cat', confidence: 1.7 },
    text_analysis: null,
    violations: [],
    edited_by: null,
    edited_at: null,
    processed_at: '2026-05-05T09:00:00.5+00:00',
  },
  waiting: null,
  post: null,
  trimmed_from_seconds: null,
  files_left_out: null,
  content_credentials: null,
  changes: null,
  source_removed_at: null,
  ...values,
});

describe('an item on the wire', () => {
  it('never names the object store', () => {
    const shown = JSON.stringify([present.content(row()), present.download(row()), present.readyForDmca(row())]);
    expect(shown).not.toContain('secret-place');
    expect(shown).not.toContain('source_id');
  });

  it('shows the processed file once there is one, and the original in the download list', () => {
    expect(present.content(row())).toMatchObject({ fileSize: 500, filename: 'aww-1abcde.mp4', mediaCount: 1, status: 'ai_completed' });
    const raw = present.content(row({ media: [file('original')] }));
    expect([raw.processedCdnUrl, raw.cdnUrl]).toEqual([null, expect.stringContaining('/api/media/video/')]);
    expect(present.download(row()).fileInfo).toMatchObject({ fileSize: 1000, storageType: 'cdn' });
  });

  it('names files by where they come from, safely, and says which of several it is', () => {
    const gallery = [file('original'), file('original', { position: 1, file_name: '2.jpg' })];
    expect(present.readyForDmca(row({ media: gallery })).fileName).toBe('aww-1abcde-1.mp4');
    const strange = row({
      subreddit: null,
      author: '../..\\é\n',
      source_id: 'link:/r/aww/s/x',
      media: [file('original', { file_name: '1' })],
    });
    expect(present.readyForDmca(strange).fileName).toBe('link-r-aww-s-x.bin');
    expect(present.readyForAi(row({ subreddit: null, author: null })).filename).toBe('reddit-1abcde.mp4');
  });

  it('shows hashtags as they are posted, once with their sign', () => {
    const text_analysis = { hashtagCategories: { mood: ['calm', '#still'] } };
    const { aiContent } = present.content(row({ caption: { ...row().caption!, hashtags: ['one', '#two'], text_analysis } }));
    expect(aiContent?.hashtags).toEqual(['#one', '#two']);
    expect(aiContent?.detailedAnalysis?.groq?.hashtagCategories).toEqual({ mood: ['#calm', '#still'] });
  });

  it('joins a posted item to what was published', () => {
    const post = {
      media_id: '17',
      media_type: null,
      kind: 'reel',
      caption: 'Out',
      permalink: 'https://x',
      published_at: '2026-05-05T09:30:00+00:00',
    };
    const shown = contentItemSchema.strict().parse(present.content(row({ state: 'posted', post })));
    expect([shown.status, shown.instagramPost]).toEqual([
      'instagram_posted',
      { postedAt: '2026-05-05T09:30:00.000Z', instagramMediaId: '17', mediaType: 'REELS', caption: 'Out', permalink: 'https://x' },
    ]);
  });

  it('shows the size of files that were enlarged, also as older programs recorded them', () => {
    const media = [file('original', { position: 1, width: 320, height: 180 }), file('original', { position: 2, width: null })];
    const changes = [
      { enlargedFrom: { width: 200, height: 250 } },
      { enlarged: true },
      { enlarged: true },
      { enlargedFrom: { width: 320, height: 180 } },
    ];
    expect(present.content(row({ media, changes })).enlargedFrom).toEqual([
      { width: 200, height: 250 },
      { width: 320, height: 180 },
    ]);
  });

  it('keeps model figures within their bounds, and shows the kept replies with the number of all', () => {
    const shown = present.content(row());
    expect(shown.aiContent?.detailedAnalysis?.gemini).toMatchObject({ visualContent: 'a cat', confidence: 1, rawAnalysis: '' });
    const kept = [{ id: 'r', author: 'y', score: 1, body: 'so true' }];
    expect(shown.commentsData?.topComments[0]).toMatchObject({ replies: kept, replyCount: 900 });
    expect(present.content(row(), true)).toMatchObject({
      commentsData: null,
      aiContent: { detailedAnalysis: null, hasDetailedAnalysis: true },
    });
  });

  it.each([
    [[{ code: 'permission_missing' as const }], true],
    [[{ code: 'permission_expired' as const, fields: { grantor: 'Ada' } }], true],
    [[{ code: 'permission_refused' as const, fields: { grantor: 'Ada' } }, 'A note.'], false],
  ])('says whether the author is to be asked for a permission: %j', (reasons, expected) => {
    expect(present.download(row({ review_reasons: reasons })).needsPermission).toBe(expected);
  });

  it('says what failed, what to do, and what it waits for', () => {
    const errors = [{ stage: 'ai', message: 'No.', timestamp: '2026-05-05T09:00:00Z', nextAction: 'Retry.', kind: 'transient' }, {}];
    const failed = downloadSchema
      .strict()
      .parse(present.download(row({ state: 'failed', failed_stage: 'ai', processing_errors: errors.slice(0, 1) })));
    expect([failed.status, failed.nextAction, failed.processingErrors[0]?.message]).toEqual(['failed', 'Retry.', 'No. Retry.']);
    expect(downloadSchema.strict().safeParse(present.download(row({ state: 'blocked', processing_errors: errors }))).success).toBe(true);
    const waiting = {
      due_at: '2026-05-06T00:00:00+00:00',
      wait_reason: 'The daily quota is used up.',
      wait_code: null,
      wait_side: null,
      state: 'waiting',
    };
    expect(present.download(row({ state: 'captioning', waiting }))).toMatchObject({
      status: 'processing',
      waiting: { until: '2026-05-06T00:00:00.000Z', reason: 'The daily quota is used up.' },
    });
  });

  it('is whole even before anything is known about it', () => {
    const bare = row({
      state: 'accepted',
      platform: 'instagram',
      title: '',
      author: null,
      subreddit: null,
      media: null,
      caption: null,
      top_comments: [],
    });
    expect(downloadSchema.strict().parse(present.download(bare))).toMatchObject({
      status: 'pending',
      fileInfo: null,
      redditData: null,
    });
    expect(readyForDmcaSchema.strict().safeParse(present.readyForDmca(bare)).success).toBe(true);
    expect(contentItemSchema.strict().safeParse(present.content(bare)).success).toBe(true);
  });
});
