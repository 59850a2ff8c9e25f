import { stableDigits } from '../server/stable-random';
import { fileName } from './containers';
import type { InstagramParts } from './graph-call';
import { graphError } from './graph-errors';
import type { PublishedItem } from './instagram-state';

/** One field of a `fields` expression: `media.limit(5).after(abc){id,caption}`. */
export interface FieldNode {
  name: string;
  args: Readonly<Record<string, string>>;
  fields: FieldNode[];
}

/** Parses a `fields` expression; `null` for invalid syntax. */
export function parseFields(source: string): FieldNode[] | null {
  const reader = { source: source.trim(), at: 0 };
  const nodes = readList(reader);
  return nodes && reader.at === reader.source.length ? nodes : null;
}

interface Reader {
  source: string;
  at: number;
}

function readList(reader: Reader): FieldNode[] | null {
  const nodes: FieldNode[] = [];
  while (reader.at < reader.source.length && reader.source[reader.at] !== '}') {
    const node = readNode(reader);
    if (!node) return null;
    nodes.push(node);
    if (reader.source[reader.at] === ',') reader.at += 1;
    else if (reader.at < reader.source.length && reader.source[reader.at] !== '}') return null;
  }
  return nodes;
}

function readNode(reader: Reader): FieldNode | null {
  const name = take(reader, /\s*(\w+)\s*/y)?.[1];
  if (!name) return null;
  const args: Record<string, string> = {};
  for (let call = take(reader, /\.(\w+)\(([^)]*)\)\s*/y); call; call = take(reader, /\.(\w+)\(([^)]*)\)\s*/y)) {
    args[call[1] ?? ''] = (call[2] ?? '').trim();
  }
  if (reader.source[reader.at] !== '{') return { name, args, fields: [] };
  reader.at += 1;
  const fields = readList(reader);
  if (!fields || reader.source[reader.at] !== '}') return null;
  reader.at += 1;
  take(reader, /\s*/y);
  return { name, args, fields };
}

function take(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.source);
  if (match) reader.at = pattern.lastIndex;
  return match;
}

type Fields = Record<string, unknown>;

const kindOf = (file?: { contentType: string }): 'IMAGE' | 'VIDEO' => (file?.contentType === 'image/jpeg' ? 'IMAGE' : 'VIDEO');

/** The items of a carousel with their ids. */
export const childrenOf = (seed: string, items: readonly (readonly [type: string, url: string])[]): Fields => ({
  data: items.map(([media_type, media_url], index) => ({ id: stableDigits(`${seed} ${index}`, 17), media_type, media_url })),
});

/** All fields of a published media; `undefined` marks valid fields without a value. */
export function mediaFields({ account, accounts, mediaOrigin }: InstagramParts, item: PublishedItem): Fields {
  const owner = accounts.find(({ id }) => id === item.accountId) ?? account;
  const first = item.files[0];
  const expires = Math.floor(item.publishedAt / 1000 + 400_000)
    .toString(16)
    .toUpperCase();
  const addressOf = ({ sha256, contentType }: PublishedItem['files'][number]): string =>
    `${mediaOrigin()}/scontent/${fileName(sha256, contentType)}?_nc_cat=101&oh=00_${stableDigits(sha256, 12)}&oe=${expires}`;
  const reel = item.kind === 'REELS';
  return {
    id: item.id,
    caption: item.caption ?? undefined,
    media_type: item.kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : kindOf(first),
    media_product_type: reel ? 'REELS' : item.kind === 'STORIES' ? 'STORY' : 'FEED',
    media_url: first && !item.copyrightMatch ? addressOf(first) : undefined,
    thumbnail_url: first && kindOf(first) === 'VIDEO' ? `${addressOf(first)}&thumb=1` : undefined,
    permalink:
      item.kind === 'STORIES'
        ? `https://www.instagram.com/stories/${owner.username}/${stableDigits(item.shortcode, 19)}/`
        : `https://www.instagram.com/${reel ? 'reel' : 'p'}/${item.shortcode}/`,
    shortcode: item.shortcode,
    timestamp: graphTime(item.publishedAt),
    username: owner.username,
    owner: { id: owner.id },
    like_count: 0,
    comments_count: 0,
    is_comment_enabled: true,
    is_shared_to_feed: reel ? item.shareToFeed : undefined,
    children:
      item.kind === 'CAROUSEL'
        ? childrenOf(
            item.id,
            item.files.map((file) => [kindOf(file), addressOf(file)]),
          )
        : undefined,
    alt_text: undefined,
    media_audio_type: reel ? 'ORIGINAL' : undefined,
    is_ai_generated: undefined,
    legacy_instagram_media_id: stableDigits(item.shortcode, 19),
    copyright_check_information: copyrightFields(item.copyrightMatch, 'completed').copyright_check_information,
  };
}

const SAMPLE_MATCH = {
  content_title: 'A protected song',
  author: 'Example Records',
  owner_copyright_policy: { name: 'Block everywhere', actions: [{ action: 'BLOCK', territories: 'all', geos: [] }] },
  matched_segments: [{ start_time_in_seconds: 0, duration_in_seconds: 4, segment_type: 'AUDIO' }],
};

/** The copyright check of a container or media. */
export function copyrightFields(matches: boolean, state: string) {
  const status = { status: state, matches_found: state === 'completed' && matches };
  return {
    copyright_check_status: status,
    copyright_check_information: { status, copyright_matches: status.matches_found ? [SAMPLE_MATCH] : [] },
  };
}

/** `2026-07-26T10:45:19+0000`. */
export function graphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

/** Selects the requested fields and `id`; throws for unknown fields. */
export function project(record: Fields, asked: readonly FieldNode[], node: string): Fields {
  const kept: Fields = {};
  for (const { name, fields } of asked) {
    if (!(name in record)) throw graphError('bad_param', { what: `Tried accessing nonexisting field (${name}) on node type (${node})` });
    const value = record[name];
    if (value !== undefined) kept[name] = fields.length > 0 ? projectDeep(value, fields) : value;
  }
  return { ...kept, id: record.id };
}

function projectDeep(value: unknown, fields: readonly FieldNode[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => projectDeep(entry, fields));
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value) return { ...value, data: projectDeep(value.data, fields) };
  const record = value as Fields;
  return Object.fromEntries(['id', ...fields.map(({ name }) => name)].filter((name) => name in record).map((name) => [name, record[name]]));
}
