import { BITRATE_KBPS, ladderOf, type NamingGeneration, NAMINGS } from '../media/dash';
import { previewSignature } from '../media/media-library';
import { stableDigits, stableId36 } from '../server/stable-random';
import type { ExternalContent, GalleryContent, ImageContent, SimPost, VideoContent } from './reddit-content';

type Fields = Record<string, unknown>;

export type Thing = { kind: string; data: Fields };

export function listingOf(children: readonly unknown[], more: Fields = {}): Thing {
  return { kind: 'Listing', data: { after: null, dist: children.length, modhash: null, geo_filter: '', children, before: null, ...more } };
}

export const authorId = (author: string | null): string => `t2_${stableId36(`author ${author}`, 8)}`;

/** A post (`t3`) as returned by the API. */
export const postThing = (post: SimPost, mediaOrigin: string): Thing => ({ kind: 't3', data: postData(post, mediaOrigin) });

export function permalinkOf(post: SimPost): string {
  const slug = post.title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 50);
  return `/r/${post.community.name}/comments/${post.id}/${slug}/`;
}

const each = (names: string, value: unknown): Fields => Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));

/** Fields of a post that the simulator never fills. */
const UNSET: Fields = {
  ...each(
    `approved_at_utc link_flair_css_class author_flair_text category content_categories removed_by banned_by mod_note mod_reason_title
    selftext_html likes view_count suggested_sort thumbnail_width thumbnail_height media secure_media`,
    null,
  ),
  ...each(
    `saved hidden is_original_content is_reddit_media_domain is_meta edited archived no_follow pinned locked hide_score contest_mode
    is_video is_self`,
    false,
  ),
  ...each('downs total_awards_received gilded num_crossposts', 0),
  ...each('media_embed secure_media_embed', {}),
  all_awardings: [],
  selftext: '',
  subreddit_type: 'public',
  pwls: 6,
};

function postData(post: SimPost, mediaOrigin: string): Fields {
  const { community, removedBy } = post;
  const removed = removedBy !== null;
  const authorGone = post.author === null || removedBy === 'deleted';
  const permalink = permalinkOf(post);
  return {
    ...UNSET,
    subreddit: community.name,
    ...(authorGone ? {} : { author_fullname: authorId(post.author) }),
    title: post.title,
    subreddit_name_prefixed: `r/${community.name}`,
    name: `t3_${post.id}`,
    quarantine: community.access === 'quarantined',
    link_flair_text: post.flair,
    upvote_ratio: post.ratio,
    ...each('ups score', post.score),
    ...each('created created_utc', post.createdAtSeconds),
    wls: post.nsfw ? 3 : 6,
    removed_by_category: removedBy,
    removal_reason: removedBy === 'legal_operations' ? 'legal' : null,
    ...each('is_crosspostable is_robot_indexable', !removed),
    over_18: post.nsfw || community.nsfw,
    spoiler: post.spoiler,
    stickied: post.stickied,
    distinguished: post.stickied ? 'moderator' : null,
    subreddit_id: `t5_${stableId36(`subreddit ${community.name}`, 5)}`,
    id: post.id,
    author: authorGone ? '[deleted]' : post.author,
    num_comments: post.comments,
    permalink,
    subreddit_subscribers: community.subscribers,
    thumbnail: post.nsfw ? 'nsfw' : post.spoiler ? 'spoiler' : post.content.type === 'text' ? 'self' : 'default',
    ...contentFields(post, permalink, mediaOrigin),
  };
}

function contentFields(post: SimPost, permalink: string, mediaOrigin: string): Fields {
  const { content } = post;
  const name = post.mediaIds[0] ?? '';
  switch (content.type) {
    case 'video':
      return videoFields(post, content, `${mediaOrigin}/v.redd.it/${name}`, mediaOrigin);
    case 'image': {
      const url = `${mediaOrigin}/i.redd.it/${name}`;
      const preview = { post_hint: 'image', preview: imagePreview(post, name, content, mediaOrigin) };
      return { domain: 'i.redd.it', is_reddit_media_domain: true, url, url_overridden_by_dest: url, ...preview };
    }
    case 'gallery': {
      const url = `https://www.reddit.com/gallery/${post.id}`;
      return { domain: 'reddit.com', url, url_overridden_by_dest: url, ...galleryFields(post, content, mediaOrigin) };
    }
    case 'external':
      return externalFields(post, content, mediaOrigin);
    case 'text': {
      const body = post.removedBy === null ? content.body : post.removedBy === 'deleted' ? '[deleted]' : '[removed]';
      const poll = content.poll ? { poll_data: POLL } : {};
      const own = { domain: `self.${post.community.name}`, is_self: true, url: `https://www.reddit.com${permalink}` };
      return { ...own, selftext: body, selftext_html: body === '' ? null : `<div class="md"><p>${body}</p></div>`, ...poll };
    }
    case 'crosspost':
      return crosspostFields(post, mediaOrigin);
  }
}

const POLL = {
  options: ['Yes', 'No'].map((text, index) => ({ id: String(index + 1), text })),
  total_vote_count: 41,
};

/** `fallback_url` never has sound. */
function videoFields(post: SimPost, content: VideoContent, url: string, mediaOrigin: string): Fields {
  const base = { domain: 'v.redd.it', is_reddit_media_domain: true, is_video: true, url, url_overridden_by_dest: url };
  if (content.processing) return base;
  const media = { reddit_video: videoObject(post.mediaIds[0] ?? '', content, mediaOrigin, post.createdAtSeconds, '?source=fallback') };
  return { ...base, post_hint: 'hosted:video', media, secure_media: media, preview: { enabled: false, images: [] } };
}

/** A crosspost has no media of its own; it includes the complete original post, or nothing when that was deleted. */
function crosspostFields(post: SimPost, mediaOrigin: string): Fields {
  const { origin } = post;
  if (!origin) {
    const url = `${mediaOrigin}/v.redd.it/${stableId36(`gone ${post.id}`, 13)}`;
    const parent = { crosspost_parent: `t3_${stableId36(post.id, 7)}`, crosspost_parent_list: [] };
    return { ...parent, domain: 'v.redd.it', post_hint: 'link', url, url_overridden_by_dest: url };
  }
  const parent = postData(origin, mediaOrigin);
  const crosspost = { crosspost_parent: `t3_${origin.id}`, crosspost_parent_list: [parent] };
  const { url } = parent;
  if (origin.content.type === 'text') {
    return { ...crosspost, domain: '', url: permalinkOf(origin), url_overridden_by_dest: permalinkOf(origin) };
  }
  const hint = origin.content.type === 'gallery' ? {} : { post_hint: origin.content.type === 'image' ? 'image' : 'link' };
  const preview = origin.content.type === 'image' ? { preview: parent.preview } : {};
  return { ...crosspost, ...hint, ...preview, domain: parent.domain, url, url_overridden_by_dest: url };
}

const PREVIEW_WIDTHS = [108, 216, 320, 640, 960, 1080];
const MANIFEST_LIFE_SECONDS = 30 * 86_400;

function videoObject(
  id: string,
  content: Pick<VideoContent, 'width' | 'height' | 'seconds' | 'sound' | 'gif' | 'generation'>,
  mediaOrigin: string,
  seconds: number,
  suffix: string,
): Fields {
  const generation: NamingGeneration = content.generation;
  const base = `${mediaOrigin}/v.redd.it/${id}`;
  const best = ladderOf(generation, content.width, content.height).at(-1);
  const signature = `a=${seconds + MANIFEST_LIFE_SECONDS}%2C${Buffer.from(stableDigits(id, 24)).toString('base64url')}&v=1&f=sd`;
  const old = generation === '2017' || generation === '2019';
  return {
    ...(old ? {} : { bitrate_kbps: BITRATE_KBPS[best?.label ?? 480] ?? 1200, has_audio: content.sound && !content.gif }),
    fallback_url: `${base}/${best?.file}${generation === '2017' ? '' : suffix}`,
    scrubber_media_url: `${base}/${NAMINGS[generation].video(96).replace(/DASH_600_K/, 'DASH_96')}`,
    dash_url: `${base}/DASHPlaylist.mpd?${signature}`,
    hls_url: `${base}/HLSPlaylist.m3u8?${signature}`,
    width: content.width,
    height: content.height,
    duration: Math.floor(content.seconds),
    is_gif: content.gif,
    transcoding_status: 'completed',
  };
}

function previewUrl(name: string, query: Record<string, string>, mediaOrigin: string): string {
  const params = new URLSearchParams(query);
  params.set('s', previewSignature(name, params));
  return `${mediaOrigin}/preview.redd.it/${name}?${params.toString()}`;
}

function sizes(name: string, width: number, height: number, extra: Record<string, string>, mediaOrigin: string): Fields {
  const resolutions = PREVIEW_WIDTHS.filter((candidate) => candidate < width).map((candidate) => ({
    url: previewUrl(name, { width: String(candidate), crop: 'smart', auto: 'webp', ...extra }, mediaOrigin),
    width: candidate,
    height: Math.round((height * candidate) / width),
  }));
  return { source: { url: previewUrl(name, { auto: 'webp', ...extra }, mediaOrigin), width, height }, resolutions };
}

function imagePreview(post: SimPost, name: string, { width, height, format }: ImageContent, mediaOrigin: string): Fields {
  const sized = (extra: Record<string, string> = {}): Fields => sizes(name, width, height, extra, mediaOrigin);
  const variants = {
    ...(format === 'gif' ? { gif: sized(), mp4: sized({ format: 'mp4' }) } : {}),
    ...(post.nsfw ? { nsfw: sized({ blur: '40' }), obfuscated: sized({ blur: '40' }) } : {}),
  };
  return { enabled: true, images: [{ ...sized(), variants, id: stableDigits(name, 20) }] };
}

function galleryFields(post: SimPost, content: GalleryContent, mediaOrigin: string): Fields {
  const removed = post.removedBy !== null;
  const metadata = content.items.map((item, index) => {
    const id = post.mediaIds[index] ?? '';
    return [id, item.type === 'image' ? galleryItem(id, item, mediaOrigin) : { status: item.type }];
  });
  const items = post.mediaIds.map((id, index) => ({ media_id: id, id: 700_000_000 + Number(stableDigits(id, 7)) + index }));
  // the order of `media_metadata` is undefined; reversed, so that clients cannot rely on it
  const media_metadata = removed ? null : (Object.fromEntries(metadata.reverse()) as Fields);
  return { is_gallery: true, gallery_data: removed ? null : { items }, media_metadata };
}

function galleryItem(id: string, item: ImageContent, mediaOrigin: string): Fields {
  const extension = item.format === 'jpeg' ? 'jpg' : item.format;
  const name = `${id}.${extension}`;
  const thumbnails = PREVIEW_WIDTHS.filter((width) => width < item.width).map((width) => ({
    x: width,
    y: Math.round((item.height * width) / item.width),
    u: previewUrl(name, { width: String(width), crop: 'smart', auto: 'webp' }, mediaOrigin),
  }));
  const animated = item.format === 'gif';
  const source = animated
    ? { x: item.width, y: item.height, gif: `${mediaOrigin}/i.redd.it/${name}`, mp4: previewUrl(name, { format: 'mp4' }, mediaOrigin) }
    : { x: item.width, y: item.height, u: previewUrl(name, { width: String(item.width), format: 'pjpg', auto: 'webp' }, mediaOrigin) };
  return { status: 'valid', e: animated ? 'AnimatedImage' : 'Image', m: `image/${extension}`, p: thumbnails, s: source, id };
}

/** Links to other hosts. Imgur animations may have a silent copy on v.redd.it. */
function externalFields(post: SimPost, content: ExternalContent, mediaOrigin: string): Fields {
  const id = post.mediaIds[0] ?? '';
  const url = EXTERNAL_URLS[content.host](id, mediaOrigin);
  const common = { domain: content.host, url, url_overridden_by_dest: url };
  if (content.host === 'example.org') return { ...common, post_hint: 'link' };
  if (content.host === 'i.imgur.com') {
    const copy = { width: 480, height: 480, seconds: 5, sound: false, gif: true, generation: '2020' as const };
    const video = content.transcoded
      ? { reddit_video_preview: videoObject(post.mediaIds[1] ?? '', copy, mediaOrigin, post.createdAtSeconds, '') }
      : {};
    return { ...common, post_hint: 'link', preview: { enabled: false, images: [], ...video } };
  }
  const provider = content.host === 'youtube.com' ? 'YouTube' : 'RedGIFs';
  const frame = { width: 356, height: 200, html: `<iframe src="${url}"></iframe>` };
  const media = { type: content.host, oembed: { provider_name: provider, type: 'video', version: '1.0', title: post.title, ...frame } };
  return { ...common, post_hint: 'rich:video', media, secure_media: media };
}

const EXTERNAL_URLS: Readonly<Record<ExternalContent['host'], (id: string, mediaOrigin: string) => string>> = {
  'youtube.com': (id) => `https://www.youtube.com/watch?v=${id}sim0`,
  'redgifs.com': (id) => `https://www.redgifs.com/watch/${id}`,
  'i.imgur.com': (id, mediaOrigin) => `${mediaOrigin}/i.imgur.com/${id}`,
  'example.org': (id) => `https://example.org/articles/${id}`,
};
