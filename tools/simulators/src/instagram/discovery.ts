import type { MediaLibrary } from '../media/media-library';
import { stableDigits } from '../server/stable-random';
import type { FieldNode } from './field-list';
import { graphRefusal } from './graph-refusal';
import type { GraphCall, InstagramParts } from './instagram-parts';
import { graphTime, project } from './media-json';
import { NEIGHBOURS, type Neighbour, type NeighbourPost } from './neighbours.seed';

type Fields = Record<string, unknown>;

/** `business_discovery.username(x){…}`: a professional account and its media, in pages. */
export function businessDiscovery(parts: InstagramParts, call: GraphCall, node: FieldNode): Fields {
  if (call.token.flavour !== 'facebook') {
    throw graphRefusal('bad_param', { what: 'Tried accessing nonexisting field (business_discovery) on node type (IGUser)' });
  }
  const name = node.args.username ?? '';
  const neighbour = NEIGHBOURS.find(({ username, professional }) => professional && username.toLowerCase() === name.toLowerCase());
  if (!neighbour) throw graphRefusal('not_professional', { name }, call.language);
  const media = node.fields.find((field) => field.name === 'media');
  const record: Fields = {
    id: stableDigits(`neighbour ${neighbour.username}`, 17),
    username: neighbour.username,
    name: neighbour.name,
    profile_picture_url: `${parts.mediaOrigin()}/scontent/${neighbour.username}.jpg`,
    followers_count: neighbour.followers,
    follows_count: 12,
    media_count: neighbour.posts.length,
    biography: '',
    website: undefined,
    media: media ? mediaPage(parts, neighbour, media) : undefined,
  };
  const asked = node.fields.map((field) => ({ ...field, fields: field.name === 'media' ? [] : field.fields }));
  return project(record, asked, 'IGUser');
}

function mediaPage(parts: InstagramParts, neighbour: Neighbour, node: FieldNode): Fields {
  const limit = Math.min(Math.max(Number(node.args.limit ?? 25) || 25, 1), 100);
  const start = Number(Buffer.from(node.args.after ?? '', 'base64url').toString('utf8') || 0);
  if (!Number.isInteger(start) || start < 0) throw graphRefusal('bad_param', { what: 'Invalid cursor passed to after.' });
  const slice = neighbour.posts.slice(start, start + limit);
  const end = start + slice.length;
  const cursors = end < neighbour.posts.length ? { cursors: { after: Buffer.from(String(end)).toString('base64url') } } : { cursors: {} };
  return { data: slice.map((post) => project(postFields(parts, neighbour, post), node.fields, 'IGMedia')), paging: cursors };
}

function postFields(parts: InstagramParts, neighbour: Neighbour, post: NeighbourPost): Fields {
  const still = post.kind === 'IMAGE';
  const name = neighbourFile(post);
  return {
    id: stableDigits(`neighbour media ${post.shortcode}`, 17),
    caption: post.caption,
    media_type: still ? 'IMAGE' : post.kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : 'VIDEO',
    media_product_type: post.kind === 'REELS' ? 'REELS' : 'FEED',
    media_url: post.withheld ? undefined : `${parts.mediaOrigin()}/scontent/${name}`,
    thumbnail_url: post.kind === 'REELS' ? `${parts.mediaOrigin()}/scontent/${post.shortcode}.jpg` : undefined,
    permalink: `https://www.instagram.com/${post.kind === 'REELS' ? 'reel' : 'p'}/${post.shortcode}/`,
    timestamp: graphTime(parts.clock.now() - post.ageHours * 3_600_000),
    username: neighbour.username,
    like_count: post.likes,
    comments_count: 7,
    view_count: post.kind === 'REELS' ? (post.likes ?? 100) * 20 : undefined,
    children:
      post.kind === 'CAROUSEL'
        ? {
            data: [1, 2, 3].map((index) => ({
              id: stableDigits(`${post.shortcode} ${index}`, 17),
              media_type: 'IMAGE',
              media_url: `${parts.mediaOrigin()}/scontent/${post.shortcode}-${index}.jpg`,
            })),
          }
        : undefined,
  };
}

function neighbourFile(post: NeighbourPost): string {
  return `${post.shortcode}${post.kind === 'REELS' ? '.mp4' : '.jpg'}`;
}

/** Puts the neighbours' files on the content network. */
export function offerNeighbours(library: MediaLibrary): void {
  const picture = (name: string): void =>
    library.addPicture(name, { scene: 'lights', seed: name, width: 1080, height: 1080, format: 'jpeg' });
  for (const { username, posts } of NEIGHBOURS) {
    picture(`${username}.jpg`);
    for (const post of posts) {
      picture(`${post.shortcode}.jpg`);
      [1, 2, 3].forEach((index) => picture(`${post.shortcode}-${index}.jpg`));
      if (post.kind !== 'REELS') continue;
      library.addClip(`${post.shortcode}.mp4`, {
        scene: 'skyline',
        seed: post.shortcode,
        width: 720,
        height: 1280,
        fps: 30,
        seconds: 5,
        sound: true,
      });
    }
  }
}

/** What is left of oEmbed: the code to embed, without author, title or picture. */
export function oembed(parts: InstagramParts, url: string): Fields {
  const code = /instagram\.com\/(?:[\w.]+\/)?(?:p|reel|reels|tv)\/([\w-]{5,40})/.exec(url)?.[1];
  const known =
    NEIGHBOURS.some(({ posts }) => posts.some(({ shortcode }) => shortcode === code)) ||
    parts.state.published.some(({ shortcode }) => shortcode === code);
  if (!known) throw graphRefusal('oembed_missing');
  const quote = `<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/${code}/"></blockquote>`;
  return { version: '1.0', provider_name: 'Instagram', provider_url: 'https://www.instagram.com/', width: 658, html: quote, type: 'rich' };
}
