import type { CommunitySeed, PostSeed } from '../reddit-content';
import { image, landscape, portrait, square, words } from './feeds.seed';

const REMOVALS =
  'deleted author moderator automod_filtered reddit content_takedown copyright_takedown anti_evil_ops community_ops legal_operations'.split(
    ' ',
  );

type Row = readonly [key: string, title: string, content: PostSeed['content'], more?: Partial<PostSeed>];

const crosspost = (of: string): PostSeed['content'] => ({ type: 'crosspost', of });
const external = (host: 'youtube.com' | 'redgifs.com' | 'i.imgur.com' | 'example.org', more = {}): PostSeed['content'] => ({
  type: 'external',
  host,
  ...more,
});
const SHARED: Partial<PostSeed> = { author: 'sharer' };
const MIXED: PostSeed['content'] = {
  type: 'gallery',
  items: [image('animal', 1080, 1080), { type: 'failed' }, image('rosette', 320, 320, { format: 'gif' }), image('hills', 1080, 810)],
};

const ROWS: readonly Row[] = [
  ['portrait', 'Portrait video with sound', portrait('skyline', 6)],
  ['landscape', 'Landscape video with sound', landscape('skyline', 6)],
  ['square', 'Square video with sound', square('lights', 5)],
  ['silent', 'Silent video', portrait('tiles', 5, { sound: false })],
  ['gif-video', 'GIF that became a video', square('paint', 5, { gif: true })],
  ['long', 'Video longer than ninety seconds', portrait('sea', 96, { width: 270, height: 480, fps: 12 })],
  ['broken', 'Video whose file ends in the middle', portrait('hills', 5, { damage: 'truncated' })],
  ['garbage', 'Video that is no video', portrait('hills', 5, { damage: 'garbage', sound: false })],
  ['processing', 'Video still being processed', portrait('hills', 5, { processing: true })],
  ['naming-2017', 'Video named as in 2017', landscape('lights', 5, { generation: '2017' })],
  ['naming-2019', 'Video named as in 2019', landscape('tiles', 5, { generation: '2019' })],
  ['naming-2020', 'Video named as in 2020', portrait('lights', 5, { generation: '2020' })],
  ['naming-2023', 'Video named as in 2023', square('skyline', 5, { generation: '2023' })],
  ['image', 'Image', image('hills')],
  ['png', 'PNG image', image('tiles', 900, 900, { format: 'png' })],
  ['webp', 'WebP image', image('sea', 900, 1200, { format: 'webp' })],
  ['gif', 'GIF image with MP4 variant', image('rosette', 320, 320, { format: 'gif' })],
  ['missing-image', 'Image whose file is gone', image('sea', 900, 1200, { missing: true })],
  ['gallery', 'Gallery with a failed and an animated item', MIXED],
  ['crosspost-video', 'Crosspost of a video', crosspost('portrait'), SHARED],
  ['crosspost-gallery', 'Crosspost of a gallery', crosspost('gallery'), SHARED],
  ['crosspost-image', 'Crosspost of an image', crosspost('image'), SHARED],
  ['crosspost-text', 'Crosspost of a text', crosspost('text'), SHARED],
  ['crosspost-gone', 'Crosspost whose origin is gone', crosspost('no such post'), SHARED],
  ['crosspost-removed', 'Crosspost whose origin was removed', crosspost('removed-moderator'), SHARED],
  ['youtube', 'Link to YouTube', external('youtube.com')],
  ['redgifs', 'Link to an adult host', external('redgifs.com'), { nsfw: true }],
  ['imgur', 'Imgur animation with a Reddit copy', external('i.imgur.com', { transcoded: true })],
  ['imgur-plain', 'Imgur animation without a copy', external('i.imgur.com')],
  ['imgur-gone', 'Imgur animation taken down', external('i.imgur.com', { missing: true })],
  ['link', 'Link to an article', external('example.org')],
  ['text', 'Text post', words('Nothing to see, only words & <signs>.')],
  ['poll', 'Poll', { type: 'text', body: 'Vote below', poll: true }],
  ['nsfw', 'Video marked as not safe for work', portrait('paint', 5), { nsfw: true }],
  ['spoiler', 'Video marked as a spoiler', portrait('rosette', 5), { spoiler: true }],
  ['stickied', 'Video on top by a moderator', portrait('sea', 5), { stickied: true }],
  ['no-author', 'Video whose author left', portrait('animal', 5), { author: null }],
  ['many-comments', 'Video with a long discussion', square('animal', 5), { comments: 320 }],
  ['hostile', '<script>alert(1)</script> & "quotes" \u202Eright to left\u202C 🦦', square('lights', 5)],
  ...REMOVALS.map((removedBy): Row => [`removed-${removedBy}`, `Video removed: ${removedBy}`, portrait('tiles', 5), { removedBy }]),
];

/** One post of every kind that the API can return, for tests; `key` identifies it. */
export const EVERY_KIND: readonly PostSeed[] = ROWS.map(([key, title, content, more], index) => ({
  key,
  title,
  content,
  score: 900 - 5 * index,
  ...more,
}));

/** The communities with posts, an empty one, and one for each kind of restricted access. */
export const COMMUNITIES: readonly CommunitySeed[] = [
  { name: 'oddlysatisfying', title: 'For when everything simply fits', subscribers: 9_812_044 },
  { name: 'EarthPorn', title: 'Landscapes, unpeopled', subscribers: 23_517_880 },
  { name: 'aww', title: 'Things that make you say it', subscribers: 34_201_553 },
  { name: 'everykind', title: 'One post of every kind', subscribers: 12 },
  { name: 'emptyplace', title: 'Nothing yet', subscribers: 3 },
  { name: 'privateplace', access: 'private' },
  { name: 'quarantinedplace', access: 'quarantined' },
  { name: 'gatedplace', access: 'gated' },
  { name: 'membersplace', access: 'gold_only' },
  { name: 'bannedplace', access: 'banned' },
];
