/** The raw fields of a post that decide what it is, spelled as one line, and the kind that they must lead to. */
const KIND_BY_FIELDS: Readonly<Record<string, string>> = {
  'is_video hosted:video v.redd.it media': 'video',
  'is_video v.redd.it media': 'video',
  'image i.redd.it': 'image',
  'is_gallery reddit.com gallery_data': 'gallery',
  'rich:video outside media': 'link',
  'link outside': 'link',
  'link v.redd.it crosspost': 'video',
  'is_self self': 'text',
};

export type RawPost = Readonly<Record<string, unknown>>;

const hostWord = (domain: string): string => {
  if (['i.redd.it', 'v.redd.it', 'reddit.com', ''].includes(domain)) return domain;
  return domain.startsWith('self.') ? 'self' : 'outside';
};

export function decidingFields(post: RawPost): string {
  const words = [
    post['is_video'] ? 'is_video' : '',
    post['is_self'] ? 'is_self' : '',
    post['is_gallery'] ? 'is_gallery' : '',
    String(post['post_hint'] ?? '').replace(/^self$/u, ''),
    hostWord(String(post['domain'] ?? '')),
    post['media'] ? 'media' : '',
    post['gallery_data'] ? 'gallery_data' : '',
    Array.isArray(post['crosspost_parent_list']) ? 'crosspost' : '',
  ];
  return words.filter((word) => word !== '').join(' ');
}

/** The kind, decided by this table alone; `null` for a combination of fields that nobody has thought about. */
export const kindByFields = (post: RawPost): string | null => KIND_BY_FIELDS[decidingFields(post)] ?? null;
