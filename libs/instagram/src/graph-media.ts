import { objectIn, PipelineError, type CopyrightCheck, type CopyrightMatch } from '@autoposter/domain';
import { z } from 'zod';

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);

const child = z.object({ id: z.string(), media_type: text, media_url: text });

/** A media object with the requested fields; the platform omits empty, hidden and withheld ones. */
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

/** A page of a list. Throws `transient` for an answer without one: it does not prove that the list is empty. */
function readPage(answer: unknown): z.infer<typeof page> {
  const parsed = page.safeParse(answer);
  if (!parsed.success) throw PipelineError.of('instagram_answer_incomplete', { fields: { missing: 'the requested list' } });
  return parsed.data;
}

/**
 * One page of media and the cursor of the next, `null` at the end. The media edge marks its end by a missing `next`; business
 * discovery never sends one and ends with a missing cursor (`cursorsOnly`). Objects without an id are dropped.
 */
export function readMedia(answer: unknown, cursorsOnly = false): { media: GraphMedia[]; next: string | null } {
  const { data, paging } = readPage(answer);
  const found = data.map((entry) => media.safeParse(entry)).flatMap((entry) => (entry.success ? [entry.data] : []));
  const goesOn = cursorsOnly || paging?.next != null;
  return { media: found, next: goesOn ? (paging?.cursors?.after ?? null) : null };
}

/** ISO time of `2026-07-26T10:45:19+0000` (no colon in the offset); 1970 for an unreadable one, so that it never counts as recent. */
export function toIsoTime(timestamp: string | null | undefined): string {
  const ms = Date.parse((timestamp ?? '').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString();
}

/** The reference says `completed`, its examples also `complete`. */
const CHECK_STATES: Readonly<Record<string, CopyrightCheck['state']>> = {
  completed: 'completed',
  complete: 'completed',
  in_progress: 'in_progress',
  not_started: 'not_started',
};

/** The copyright check of a container; an unknown or unreadable state is an error of the check. `null` where the answer has none. */
export function readCopyrightCheck(value: unknown): CopyrightCheck | null {
  if (value === undefined || value === null) return null;
  const { status, matches_found: found } = objectIn(value);
  if (typeof status !== 'string') return { state: 'error', matchesFound: false, matches: [] };
  const state = CHECK_STATES[status] ?? 'error';
  // a completed check without a result has none
  if (state === 'completed' && typeof found !== 'boolean') return { state: 'error', matchesFound: false, matches: [] };
  return { state, matchesFound: state === 'completed' && found === true, matches: [] };
}

const matchSchema = z.object({
  content_title: text,
  author: text,
  owner_copyright_policy: z
    .object({ actions: z.array(z.object({ action: z.string() })) })
    .nullish()
    .catch(undefined),
  matched_segments: z
    .array(z.object({ start_time_in_seconds: z.number(), duration_in_seconds: z.number(), segment_type: z.string() }))
    .nullish()
    .catch(undefined),
});

/** The matched works of `copyright_check_information`. */
export function readCopyrightMatches(value: unknown): CopyrightMatch[] {
  return entriesOf({ data: objectIn(value)['copyright_matches'] }, matchSchema).map((match) => ({
    title: match.content_title ?? null,
    owner: match.author ?? null,
    actions: (match.owner_copyright_policy?.actions ?? []).map(({ action }) => action),
    segments: (match.matched_segments ?? []).map((segment) => ({
      startSeconds: segment.start_time_in_seconds,
      seconds: segment.duration_in_seconds,
      kind: segment.segment_type,
    })),
  }));
}

const metric = z.object({ name: z.string(), values: z.array(z.object({ value: z.number() })).min(1) });
const comment = z.object({ id: z.string(), text: z.string() });

/** The entries of `data` that have the expected shape. */
function entriesOf<T>(answer: Record<string, unknown>, schema: z.ZodType<T>): T[] {
  const listed = answer['data'];
  return (Array.isArray(listed) ? listed : []).flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The values of `…/insights` by the name of the metric. */
export const readMetrics = (answer: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(entriesOf(answer, metric).map(({ name, values }) => [name, values[0]?.value ?? 0]));

/** One page of comments and the cursor of the next, `null` at the end. */
export function readComments(answer: Record<string, unknown>): { comments: { id: string; text: string }[]; next: string | null } {
  return { comments: entriesOf(answer, comment), next: nextCursor(answer) };
}

/** `null` at the end of a list. */
export function nextCursor(answer: Record<string, unknown>): string | null {
  const { paging } = readPage(answer);
  return paging?.next == null ? null : (paging.cursors?.after ?? null);
}
