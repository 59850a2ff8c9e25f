import { z } from 'zod';

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);

const child = z.object({ id: z.string(), media_type: text, media_url: text });

/** A media object with the fields that were asked for; the platform leaves out what is empty, hidden or withheld. */
const media = z.object({
  id: z.string(),
  caption: text,
  media_type: text,
  media_product_type: text,
  media_url: text,
  permalink: text,
  shortcode: text,
  timestamp: text,
  username: text,
  like_count: number,
  children: z
    .object({ data: z.array(child) })
    .nullish()
    .catch(undefined),
});
export type GraphMedia = z.infer<typeof media>;

const page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: text }).nullish().catch(undefined), next: text })
    .nullish()
    .catch(undefined),
});

/**
 * One page of media and the cursor of the next, `null` at the end. The media edge marks its end by a missing `next`; business
 * discovery never sends one and ends with a missing cursor (`cursorsOnly`). Objects without an id are dropped.
 */
export function readMedia(answer: unknown, cursorsOnly = false): { media: GraphMedia[]; next: string | null } {
  const parsed = page.safeParse(answer);
  if (!parsed.success) return { media: [], next: null };
  const found = parsed.data.data.map((entry) => media.safeParse(entry)).flatMap((entry) => (entry.success ? [entry.data] : []));
  const paging = parsed.data.paging;
  const goesOn = cursorsOnly || paging?.next != null;
  return { media: found, next: goesOn ? (paging?.cursors?.after ?? null) : null };
}

/** ISO time of `2026-07-26T10:45:19+0000` (no colon in the offset); 1970 for an unreadable one, so that it never counts as recent. */
export function toIsoTime(timestamp: string | null | undefined): string {
  const ms = Date.parse((timestamp ?? '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString();
}
