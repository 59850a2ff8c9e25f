import {
  CAPTION_STAGE,
  FETCH_STAGE,
  type AiContent,
  type ContentDetails,
  type ContentItem,
  type Download,
  type ReadyForAi,
  type ProcessingError,
  type ReadyForDmca,
  type TextAnalysis,
  type TimelineEntry,
  type TopComment,
  type VisionAnalysis,
} from '@autoposter/contracts';
import { DOWNLOAD_STATUS_OF, ITEM_FLOW, type ItemState, renderReviewReason, type StoredReviewReason } from '@autoposter/domain';
import type { MediaLinks } from '../media/media-links';
import type { CaptionRow, ErrorRow, ItemRow, MediaRow, PostRow } from '@autoposter/persistence';

const iso = (time: string | Date): string => new Date(time).toISOString();
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

const CONTENT_STATUS: Partial<Record<ItemState, string>> = {
  ready: 'ai_completed',
  queued: 'queued',
  posting: 'posting',
  posted: 'instagram_posted',
};

/** The specification has no status for removed items: their details show `failed`. */
export const downloadStatusOf = (state: ItemState): Download['status'] =>
  state === 'discarded' || state === 'deleted' ? 'failed' : DOWNLOAD_STATUS_OF[state];

/** Presents items in API responses. Media is addressed by our signed paths, never by URLs of the object store. */
export class ItemPresenter {
  constructor(private readonly links: MediaLinks) {}

  download(row: ItemRow): Download {
    const file = fileOf(row, 'original') ?? fileOf(row, 'processed');
    const isReddit = row.platform === 'reddit';
    const progress = this.progress(row);
    return {
      _id: row.id,
      title: row.title,
      platform: row.platform,
      subreddit: row.subreddit,
      author: row.author,
      originalUrl: row.original_url,
      postType: row.post_type,
      status: downloadStatusOf(row.state),
      retryCount: row.retry_count,
      maxRetries: row.max_retries,
      createdAt: iso(row.created_at),
      redditData: isReddit ? { score: row.score ?? 0, upvoteRatio: row.upvote_ratio } : null,
      instagramData: isReddit ? null : { likes: row.likes },
      fileInfo: file && {
        fileName: fileNameOf(row, file),
        fileSize: Number(file.bytes),
        cdnUrl: progress.videoUrl,
        dimensions: file.width !== null && file.height !== null ? { width: file.width, height: file.height } : null,
        storageType: file.storage_type,
      },
      processingErrors: row.processing_errors.map((error) => errorOf(error, row)),
      ...progress,
    };
  }

  readyForDmca(row: ItemRow): ReadyForDmca {
    const file = fileOf(row, 'original');
    return {
      id: row.id,
      fileName: file === null ? row.title : fileNameOf(row, file),
      fileType: file?.content_type ?? row.media_type,
      platform: row.platform,
      subreddit: row.subreddit,
      author: row.author,
      fileSize: Number(file?.bytes ?? 0),
      title: row.title,
      ...this.progress(row),
    };
  }

  readyForAi(row: ItemRow): ReadyForAi {
    const file = fileOf(row, 'processed') ?? fileOf(row, 'original');
    return {
      id: row.id,
      filename: file === null ? row.title : fileNameOf(row, file),
      mediaType: row.media_type,
      platform: row.platform,
      subreddit: row.subreddit,
      author: row.author,
      fileSize: Number(file?.bytes ?? 0),
      title: row.title,
      ...this.progress(row),
    };
  }

  /** `brief` omits the fields that only the details show. */
  content(row: ItemRow, brief = false): ContentItem {
    const processed = fileOf(row, 'processed');
    const original = fileOf(row, 'original');
    const file = processed ?? original;
    const progress = this.progress(row);
    return {
      id: row.id,
      title: row.title,
      platform: row.platform,
      subreddit: row.subreddit,
      author: row.author,
      mediaType: row.media_type,
      fileSize: Number(file?.bytes ?? 0),
      filename: file === null ? '' : fileNameOf(row, file),
      url: row.original_url,
      cdnUrl: file && progress.videoUrl,
      processedCdnUrl: processed && progress.videoUrl,
      status: CONTENT_STATUS[row.state] ?? row.state,
      aiContent: row.caption && presentCaption(row.caption, brief),
      commentsData: brief ? null : { topComments: row.top_comments.map(presentComment) },
      instagramPost: row.post && presentPost(row.post),
      originalUrl: row.original_url,
      durationSeconds: file?.duration_seconds ?? null,
      trimmedFromSeconds: row.trimmed_from_seconds,
      filesLeftOut: row.files_left_out ?? 0,
      enlargedFrom: enlargedIn(row),
      contentCredentials: (row.content_credentials ?? []).map(({ issuer }) => ({ issuer, verified: false as const })),
      mediaCount: (row.media ?? []).filter((media) => media.role === (processed ? 'processed' : 'original')).length,
      ...progress,
    };
  }

  details(row: ItemRow, timeline: TimelineEntry[], rights: ContentDetails['rights']): ContentDetails {
    return {
      ...this.content(row),
      downloadStatus: downloadStatusOf(row.state),
      processingErrors: row.processing_errors.map((error) => errorOf(error, row)),
      timeline,
      rights,
    };
  }

  /** The file at this place of the post, from 0. */
  mediaUrl(itemId: string, file: number): string {
    return this.links.to('video', itemId, file);
  }

  posterUrl(itemId: string, hasCover: boolean): string | null {
    return hasCover ? this.links.to('cover', itemId, 0) : null;
  }

  /** The address differs for each picture, because a new one replaces the one before. */
  uploadedCoverUrl(itemId: string, sha256: string | null): string | null {
    return sha256 === null ? null : `${this.links.to('uploaded-cover', itemId, 0)}&picture=${sha256.slice(0, 8)}`;
  }

  private progress(row: ItemRow) {
    const lastError = row.processing_errors[row.processing_errors.length - 1];
    const waiting = row.waiting && {
      until: row.waiting.due_at === null ? null : iso(row.waiting.due_at),
      code: row.waiting.wait_code,
      side: row.waiting.wait_side,
      reason: whyWaiting(row.waiting),
    };
    return {
      state: row.state,
      failedStage: row.failed_stage,
      autoProcessStage: row.auto_process_stage,
      needsReview: row.needs_review,
      reviewReasons: row.review_reasons.map(renderReviewReason),
      needsPermission: row.review_reasons.some(lacksPermission),
      waiting,
      lastError: lastErrorOf(row),
      nextAction:
        row.state === 'failed' || row.state === 'blocked' ? (lastError?.nextAction ?? null) : waiting && nextActionWhileWaiting(row),
      posterUrl: this.posterUrl(row.id, fileOf(row, 'cover') !== null),
      videoUrl: (row.media ?? []).length > 0 ? this.links.to('video', row.id, 0) : null,
      sourceRemovedAt: row.source_removed_at === null ? null : iso(row.source_removed_at),
      updatedAt: iso(row.updated_at),
    };
  }
}

function whyWaiting({ state, wait_reason: reason }: NonNullable<ItemRow['waiting']>): string {
  if (state !== 'retrying') return reason ?? 'Waiting.';
  return reason === null ? 'Retrying after a failure.' : `Retrying after a failure. ${reason}`;
}

/** The author can still be asked: after a refusal there is an answer. */
const lacksPermission = (reason: StoredReviewReason): boolean =>
  typeof reason !== 'string' && (reason.code === 'permission_missing' || reason.code === 'permission_expired');

const nextActionWhileWaiting = ({ state }: ItemRow): string | null =>
  state === ITEM_FLOW.activeStates[CAPTION_STAGE]
    ? 'It continues automatically. You can also request the caption again in a few minutes, write it yourself, or discard the post.'
    : null;

/** A failed new caption of an item that keeps its earlier one; cleared by the next caption or edit. */
function lastErrorOf(row: ItemRow): ProcessingError | null {
  const last = row.processing_errors[row.processing_errors.length - 1];
  if (!row.caption || last?.stage !== CAPTION_STAGE || row.state === 'failed') return null;
  const writtenAt = Math.max(Date.parse(row.caption.processed_at), row.caption.edited_at === null ? 0 : Date.parse(row.caption.edited_at));
  return Date.parse(last.timestamp ?? '') > writtenAt ? errorOf(last, row) : null;
}

/** Records of older programs have no size: the one of the file then, which may have had bars. */
function enlargedIn({ changes, media }: ItemRow): NonNullable<ContentItem['enlargedFrom']> {
  const sizes = (changes ?? []).flatMap(({ enlarged = false, enlargedFrom }, position) => {
    const file = media?.find((one) => one.role === 'original' && one.position === position);
    if (!enlarged || !file) return enlargedFrom ?? [];
    return file.width === null || file.height === null ? [] : { width: file.width, height: file.height };
  });
  return sizes.filter(({ width, height }, index) => sizes.findIndex((one) => one.width === width && one.height === height) === index);
}

const fileOf = (row: ItemRow, role: MediaRow['role']): MediaRow | null => (row.media ?? []).find((media) => media.role === role) ?? null;

/** The message includes the next action, for clients that show only the message. */
function errorOf(error: ErrorRow, row: ItemRow): Download['processingErrors'][number] {
  return {
    stage: error.stage ?? row.failed_stage ?? FETCH_STAGE,
    message: [error.message ?? 'Unknown error', ...(error.nextAction ? [error.nextAction] : [])].join(' '),
    timestamp: iso(error.timestamp ?? row.updated_at),
    nextAction: error.nextAction ?? null,
    kind: error.kind,
    resumeFrom: error.resumeFrom,
  };
}

function presentCaption(row: CaptionRow, brief: boolean): AiContent {
  const gemini = row.visuals === null ? null : vision(row.visuals);
  const groq = row.text_analysis === null ? null : textAnalysis(row.text_analysis);
  return {
    caption: row.caption,
    hashtags: withSign(row.hashtags),
    captionVariations: row.variations,
    analysis: row.analysis,
    processedAt: iso(row.processed_at),
    detailedAnalysis: brief || (gemini === null && groq === null) ? null : { gemini, groq },
    violations: row.violations.map(String),
    editedBy: row.edited_by,
    hasDetailedAnalysis: gemini !== null || groq !== null,
  };
}

const vision = (visuals: Record<string, unknown>): VisionAnalysis => ({
  visualContent: text(visuals['visualContent']),
  emotionalTone: text(visuals['emotionalTone']),
  contentTheme: text(visuals['contentTheme']),
  instagramOptimization: text(visuals['instagramOptimization']),
  captionDirection: text(visuals['captionDirection']),
  confidence: Math.min(1, Math.max(0, number(visuals['confidence']))),
  rawAnalysis: text(visuals['rawAnalysis']),
});

const textAnalysis = (analysis: Record<string, unknown>): TextAnalysis => ({
  wordCount: Math.trunc(number(analysis['wordCount'])),
  characterCount: Math.trunc(number(analysis['characterCount'])),
  sentiment: text(analysis['sentiment']),
  hasCallToAction: analysis['hasCallToAction'] === true,
  mainCaption: text(analysis['mainCaption']),
  hashtagCategories: Object.fromEntries(
    Object.entries((analysis['hashtagCategories'] ?? {}) as Record<string, string[]>).map(([name, tags]) => [name, withSign(tags)]),
  ),
});

/** Hashtags are stored without `#`. */
export const withSign = (tags: readonly string[]): string[] => tags.map((tag) => `#${tag.replace(/^#+/u, '')}`);

/** `replies` are the stored ones, `replyCount` counts all. */
function presentComment(comment: unknown): TopComment {
  const { id, author, score, body, replies, replyList } = comment as Record<string, unknown>;
  const list: unknown[] = Array.isArray(replyList) ? replyList : [];
  const replyCount = Math.max(list.length, Math.trunc(number(replies)));
  return { id: text(id), author: text(author), score: Math.trunc(number(score)), body: text(body), replies: list, replyCount };
}

function presentPost(post: PostRow): NonNullable<ContentItem['instagramPost']> {
  return {
    postedAt: iso(post.published_at ?? new Date(0)),
    instagramMediaId: post.media_id ?? '',
    mediaType: post.media_type ?? (post.kind === 'reel' ? 'REELS' : post.kind.toUpperCase()),
    caption: post.caption,
    permalink: post.permalink,
  };
}

/** Maximum length of a part that comes from the source. */
const MAX_PART = 40;

/**
 * The displayed file name: source, post id, number within a gallery and extension (`aww-1abcde-2.jpg`). Only letters, digits, `-` and `_`,
 * so that nothing can act as a path.
 */
function fileNameOf(row: ItemRow, file: MediaRow): string {
  const several = (row.media ?? []).some((other) => other.role === file.role && other.position > 0);
  const parts = [row.subreddit ?? row.author ?? row.platform, row.source_id, ...(several ? [String(file.position + 1)] : [])];
  const extension = /\.([a-z0-9]{1,5})$/u.exec(file.file_name)?.[1] ?? 'bin';
  return `${parts.map(plain).filter(Boolean).join('-')}.${extension}`;
}

const plain = (part: string): string =>
  part
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_PART);
