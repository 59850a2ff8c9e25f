import type { LoginFlavour, PostKind, PublishOptions } from '@autoposter/contracts';
import type { Failure } from '../errors/failure';

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** A protected work in the media, as the platform's copyright check reports it. */
export interface CopyrightMatch {
  title: string | null;
  owner: string | null;
  /** What the owner's policy does to the media, such as `BLOCK`. */
  actions: string[];
  segments: { startSeconds: number; seconds: number; kind: string }[];
}

/** The platform's own copyright check. `matches` may be empty although it found some: not every version names them. */
export interface CopyrightCheck {
  state: 'completed' | 'in_progress' | 'not_started' | 'error';
  matchesFound: boolean;
  matches: CopyrightMatch[];
}

export interface ContainerState {
  status: ContainerStatus;
  message: string | null;
  /** `null` where this login offers no check. */
  copyright: CopyrightCheck | null;
}

export interface ContainerRequest {
  kind: 'reel' | 'image' | 'carousel_child_image' | 'carousel_child_video' | 'carousel' | 'story_image' | 'story_video';
  /** Address that Meta's servers fetch; `null` where the bytes are uploaded or for a carousel parent. */
  mediaUrl: string | null;
  caption: string | null;
  /** Position of a reel's cover in its video, unless the options name another. */
  coverSeconds?: number | null;
  /** Address of a picture that becomes a reel's cover, before any position in its video. */
  coverUrl?: string | null;
  options?: PublishOptions;
  /** Containers of the children, in order, for a carousel. */
  children?: readonly string[];
  /** Where `mediaUrl` is `null`: the bytes, for the resumable upload. */
  upload?: { bytes: number; open: () => Promise<AsyncIterable<Uint8Array>> };
}

export interface PublishedMedia {
  id: string;
  caption: string | null;
  mediaType: string;
  productType: string | null;
  permalink: string | null;
  timestamp: string;
}

/** The answer to the one irreversible call. Everything but a media id or a certain refusal is `unknown` until it is reconciled. */
export type PublishOutcome =
  | { outcome: 'published'; mediaId: string }
  /** By the platform's contract nothing was published (9007, 24/2207008, 17, 32, 613, 4 without subcode 2207051): same container, after a status check and the delay. */
  | { outcome: 'refused'; retryAfterSeconds: number; code: string; message: string; failure: Failure }
  /** `failure` where the answer was an error of the platform. */
  | { outcome: 'unknown'; code: string | null; message: string; failure?: Failure };

/** Names of the reports of the publishing worker: about the account of the environment, and about the public address of media. */
export const ACCOUNT_REPORT = 'instagram-account';
export const ADDRESS_REPORT = 'media-address';

export interface AccountReport {
  accountId: string;
  username: string | null;
  flavour: LoginFlavour;
  tokenExpiresAt: string | null;
  quotaUsed: number | null;
  quotaTotal: number | null;
}

/** Publishes through Instagram's official API. Reading calls throw `PipelineError`; `publish` never does. */
export interface Publisher {
  readonly accountId: string;
  /** Whether containers can take bytes instead of an address (Facebook Login only). */
  readonly canUpload: boolean;
  account(): Promise<AccountReport>;
  quota(): Promise<{ used: number; total: number; windowSeconds: number }>;
  createContainer(request: ContainerRequest): Promise<{ containerId: string }>;
  containerStatus(containerId: string): Promise<ContainerState>;
  /** `beforeCall` runs right before the request is sent; if it throws, nothing is sent and `publish` rejects with its error. */
  publish(containerId: string, beforeCall?: () => void): Promise<PublishOutcome>;
  /** Address of a published post, `null` where the platform names none. */
  permalink(mediaId: string): Promise<string | null>;
  /** Own media, newest first, back to `since`. */
  recentMedia(since: Date): Promise<PublishedMedia[]>;
  /** The account's stories of the last 24 hours, which the list of its media lacks. Reshared stories are missing. */
  stories(): Promise<PublishedMedia[]>;
}

/**
 * The media type as the platform names it when a post is created. Its media list names a reel `VIDEO` and a carousel `CAROUSEL_ALBUM`;
 * the API shows one name however the result became known.
 */
export const POSTED_AS: Record<PostKind, 'REELS' | 'IMAGE' | 'CAROUSEL' | 'STORIES'> = {
  reel: 'REELS',
  image: 'IMAGE',
  carousel: 'CAROUSEL',
  story: 'STORIES',
};

/** How long Instagram shows a story; afterwards the API has neither the media nor its metrics. */
export const STORY_LIFE_MS = 24 * 3_600_000;
