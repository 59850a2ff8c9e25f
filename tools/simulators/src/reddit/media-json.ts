import { previewSignature } from '../media/media-library';
import { BITRATE_KBPS, NAMINGS, ladderOf, type NamingGeneration } from '../media/video-naming';
import { stableDigits } from '../server/stable-random';
import type { ExternalContent, GalleryContent, ImageContent, VideoContent } from './post-seed';
import type { SimPost } from './reddit-world';

type Fields = Record<string, unknown>;

const PREVIEW_WIDTHS = [108, 216, 320, 640, 960, 1080];
const MANIFEST_LIFE_SECONDS = 30 * 86_400;

/** The object that describes a video on v.redd.it. `fallback_url` never has sound. */
export function redditVideo(post: SimPost, id: string, content: VideoContent, mediaOrigin: string): Fields {
  return videoObject(id, content, mediaOrigin, post.createdAtSeconds, '?source=fallback');
}

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

export function previewUrl(name: string, query: Record<string, string>, mediaOrigin: string): string {
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

export function imagePreview(post: SimPost, name: string, content: ImageContent, mediaOrigin: string): Fields {
  const { width, height } = content;
  const animated = content.format === 'gif';
  const variants = {
    ...(animated
      ? { gif: sizes(name, width, height, {}, mediaOrigin), mp4: sizes(name, width, height, { format: 'mp4' }, mediaOrigin) }
      : {}),
    ...(post.nsfw
      ? {
          nsfw: sizes(name, width, height, { blur: '40' }, mediaOrigin),
          obfuscated: sizes(name, width, height, { blur: '40' }, mediaOrigin),
        }
      : {}),
  };
  return { enabled: true, images: [{ ...sizes(name, width, height, {}, mediaOrigin), variants, id: stableDigits(name, 20) }] };
}

export function galleryFields(post: SimPost, content: GalleryContent, mediaOrigin: string): Fields {
  const removed = post.removedBy !== null;
  const metadata = content.items.map((item, index) => {
    const id = post.mediaIds[index] ?? '';
    return [id, item.type === 'failed' ? { status: 'failed' } : galleryItem(id, item, mediaOrigin)];
  });
  const items = post.mediaIds.map((id, index) => ({ media_id: id, id: 700_000_000 + Number(stableDigits(id, 7)) + index }));
  return {
    is_gallery: true,
    gallery_data: removed ? null : { items },
    media_metadata: removed ? null : shuffled(Object.fromEntries(metadata) as Fields),
  };
}

/** The map's order says nothing; it is given backwards so that nobody relies on it. */
function shuffled(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).reverse());
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

/** Posts that lead elsewhere. A host of animations may have a silent copy on v.redd.it. */
export function externalFields(post: SimPost, content: ExternalContent, mediaOrigin: string): Fields {
  const id = post.mediaIds[0] ?? '';
  const url = externalUrl(content.host, id, mediaOrigin);
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
  const oembed = {
    provider_name: provider,
    type: 'video',
    version: '1.0',
    title: post.title,
    width: 356,
    height: 200,
    html: `<iframe src="${url}"></iframe>`,
  };
  return { ...common, post_hint: 'rich:video', media: { type: content.host, oembed }, secure_media: { type: content.host, oembed } };
}

function externalUrl(host: ExternalContent['host'], id: string, mediaOrigin: string): string {
  switch (host) {
    case 'youtube.com':
      return `https://www.youtube.com/watch?v=${id}sim0`;
    case 'redgifs.com':
      return `https://www.redgifs.com/watch/${id}`;
    case 'i.imgur.com':
      return `${mediaOrigin}/i.imgur.com/${id}`;
    default:
      return `https://example.org/articles/${id}`;
  }
}
