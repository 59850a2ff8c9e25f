import type { MediaLibrary } from '../media/media-library';
import { stableDigits } from '../server/stable-random';
import { type GraphCall, type InstagramParts, refusal } from './graph-call';
import { graphError } from './graph-errors';
import { childrenOf, type FieldNode, graphTime, project } from './media-fields';

type Fields = Record<string, unknown>;

/** `business_discovery.username(x){…}`: a professional account and its paginated media. */
export function businessDiscovery(parts: InstagramParts, call: GraphCall, node: FieldNode): Fields {
  if (call.token.flavour !== 'facebook') {
    throw graphError('bad_param', { what: 'Tried accessing nonexisting field (business_discovery) on node type (IGUser)' });
  }
  const name = node.args.username ?? '';
  const other = OTHER_ACCOUNTS.find(({ username, professional }) => professional && username.toLowerCase() === name.toLowerCase());
  if (!other) throw refusal(call, 'not_professional', { name });
  const media = node.fields.find((field) => field.name === 'media');
  const record: Fields = {
    id: stableDigits(`other ${other.username}`, 17),
    username: other.username,
    name: other.name,
    profile_picture_url: `${parts.mediaOrigin()}/scontent/${other.username}.jpg`,
    followers_count: other.followers,
    follows_count: 12,
    media_count: other.posts.length,
    biography: '',
    website: undefined,
    media: media ? mediaPage(parts, other, media) : undefined,
  };
  const asked = node.fields.map((field) => ({ ...field, fields: field.name === 'media' ? [] : field.fields }));
  return project(record, asked, 'IGUser');
}

function mediaPage(parts: InstagramParts, other: OtherAccount, node: FieldNode): Fields {
  const limit = Math.min(Math.max(Number(node.args.limit ?? 25) || 25, 1), 100);
  const start = Number(Buffer.from(node.args.after ?? '', 'base64url').toString('utf8') || 0);
  if (!Number.isInteger(start) || start < 0) throw graphError('bad_param', { what: 'Invalid cursor passed to after.' });
  const slice = other.posts.slice(start, start + limit);
  const end = start + slice.length;
  const cursors = end < other.posts.length ? { cursors: { after: Buffer.from(String(end)).toString('base64url') } } : { cursors: {} };
  return { data: slice.map((post) => project(postFields(parts, other, post), node.fields, 'IGMedia')), paging: cursors };
}

function postFields(parts: InstagramParts, other: OtherAccount, post: OtherPost): Fields {
  const reel = post.kind === 'REELS';
  const place = `${parts.mediaOrigin()}/scontent/${post.shortcode}`;
  const pictures = [1, 2, 3].map((index) => `${place}-${index}.jpg`);
  return {
    id: stableDigits(`other media ${post.shortcode}`, 17),
    caption: post.caption,
    media_type: { IMAGE: 'IMAGE', CAROUSEL: 'CAROUSEL_ALBUM', REELS: 'VIDEO' }[post.kind],
    media_product_type: reel ? 'REELS' : 'FEED',
    media_url: post.withheld ? undefined : `${place}${reel ? '.mp4' : '.jpg'}`,
    thumbnail_url: reel ? `${place}.jpg` : undefined,
    permalink: `https://www.instagram.com/${reel ? 'reel' : 'p'}/${post.shortcode}/`,
    timestamp: graphTime(parts.clock.now() - post.ageHours * 3_600_000),
    username: other.username,
    like_count: post.likes,
    comments_count: 7,
    view_count: reel ? (post.likes ?? 100) * 20 : undefined,
    children:
      post.kind === 'CAROUSEL'
        ? childrenOf(
            post.shortcode,
            pictures.map((url) => ['IMAGE', url]),
          )
        : undefined,
  };
}

/** Makes the files of the other accounts available on the CDN. */
export function serveOtherAccounts(library: MediaLibrary): void {
  const picture = (name: string): void =>
    library.add('picture', name, { scene: 'lights', seed: name, width: 1080, height: 1080, format: 'jpeg' });
  for (const { username, posts } of OTHER_ACCOUNTS) {
    picture(`${username}.jpg`);
    for (const post of posts) {
      picture(`${post.shortcode}.jpg`);
      [1, 2, 3].forEach((index) => picture(`${post.shortcode}-${index}.jpg`));
      if (post.kind !== 'REELS') continue;
      const recipe = { scene: 'skyline', seed: post.shortcode, width: 720, height: 1280, fps: 30, seconds: 5, sound: true } as const;
      library.add('clip', `${post.shortcode}.mp4`, recipe);
    }
  }
}

/** oEmbed returns only the embed code, without author, title or thumbnail. */
export function oembed(parts: InstagramParts, url: string): Fields {
  const code = /instagram\.com\/(?:[\w.]+\/)?(?:p|reel|reels|tv)\/([\w-]{5,40})/.exec(url)?.[1];
  const known =
    OTHER_ACCOUNTS.some(({ posts }) => posts.some(({ shortcode }) => shortcode === code)) ||
    parts.state.published.some(({ shortcode }) => shortcode === code);
  if (!known) throw graphError('oembed_missing');
  const quote = `<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/${code}/"></blockquote>`;
  return { version: '1.0', provider_name: 'Instagram', provider_url: 'https://www.instagram.com/', width: 658, html: quote, type: 'rich' };
}

/** An account for business discovery and oEmbed. */
interface OtherAccount {
  username: string;
  name: string;
  followers: number;
  professional: boolean;
  posts: readonly OtherPost[];
}

interface OtherPost {
  shortcode: string;
  caption?: string;
  kind: 'IMAGE' | 'REELS' | 'CAROUSEL';
  ageHours: number;
  likes?: number;
  /** Omits `media_url`, as for licensed audio or restricted media. */
  withheld?: boolean;
}

const OTHER_ACCOUNTS: readonly OtherAccount[] = [
  {
    username: 'harbour.lights',
    name: 'Harbour Lights',
    followers: 48_210,
    professional: true,
    posts: [
      { shortcode: 'DHarbour001', caption: 'Ferry home, last row, best seat. #harbour', kind: 'REELS', ageHours: 20, likes: 1_904 },
      { shortcode: 'DHarbour002', caption: 'With a song that is not ours.', kind: 'REELS', ageHours: 44, likes: 2_771, withheld: true },
      { shortcode: 'DHarbour003', caption: 'Four lamps.', kind: 'CAROUSEL', ageHours: 70 },
      { shortcode: 'DHarbour004', kind: 'IMAGE', ageHours: 90, likes: 512 },
    ],
  },
  {
    username: 'potters_wheel',
    name: "The Potter's Wheel",
    followers: 7_300,
    professional: true,
    posts: [{ shortcode: 'DPotters001', caption: 'Trimming day.', kind: 'REELS', ageHours: 12, likes: 333 }],
  },
  { username: 'private.person', name: 'A private person', followers: 120, professional: false, posts: [] },
];
