import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Language } from './graph-errors';
import type { FetchedFile } from './media-inspector';

/** Settings that `POST /control/settings` can change. */
export interface InstagramSettings {
  language: Language;
  /** Minimum time that a container stays IN_PROGRESS. */
  imageProcessingMs: number;
  videoProcessingMs: number;
  /** Maximum posts in 24 hours. */
  publishQuota: number;
  containersPerDay: number;
  /** Permissions that the account owner did not grant. */
  withheldScopes: string[];
  /** Maximum requests in 24 hours. */
  callsPerDay: number;
  /** "Require App Secret": calls with a token of Facebook Login need `appsecret_proof`. */
  requireProof: boolean;
  /** How long a published post is missing in the list of the account's media. */
  listLagMs: number;
  /** How the platform stores captions: `none`, `spaces` (appended) or `emoji` (another variant of the same emoji). */
  captionChange: string;
  /** Accounts that the login page offers besides the accounts of the demo. */
  furtherAccounts: number;
}

export const INSTAGRAM_DEFAULTS: InstagramSettings = {
  language: 'en',
  imageProcessingMs: 200,
  videoProcessingMs: 1_500,
  publishQuota: 50,
  containersPerDay: 400,
  withheldScopes: [],
  callsPerDay: 48_000,
  requireProof: false,
  listLagMs: 0,
  captionChange: 'none',
  furtherAccounts: 0,
};

export type ContainerKind = 'IMAGE' | 'REELS' | 'STORIES' | 'VIDEO' | 'CAROUSEL';

export interface Container {
  id: string;
  accountId: string;
  kind: ContainerKind;
  carouselItem: boolean;
  caption: string | null;
  children: string[];
  sourceUrl: string | null;
  shareToFeed: boolean;
  createdAt: number;
  /** Earliest time for FINISHED (milliseconds since the epoch). */
  readyAt: number;
  /** The file was fetched and checked, or the container needs none. */
  settled: boolean;
  errorSubcode: number | null;
  thumbOffsetMs: number | null;
  publishedMediaId: string | null;
  /** Publish calls for this container, with any result. */
  publishCalls?: number;
  /** When an accepted publish call takes effect that the platform has not executed yet. */
  publishAt?: number;
  /** The platform no longer finds this container, with any earlier result. */
  forgotten?: true;
  /** Parameters of the request that are not evaluated, for the ledger. */
  options: Record<string, string>;
  copyrightMatch: boolean;
  /** What its copyright check reports instead of a result. */
  copyrightState?: 'in_progress' | 'not_started' | 'error';
  upload: { offset: number; size: number | null } | null;
  file: FetchedFile | null;
  /** The picture of `cover_url`. */
  cover?: FetchedFile;
}

export interface PublishedItem {
  id: string;
  accountId: string;
  containerId: string;
  kind: ContainerKind;
  caption: string | null;
  shortcode: string;
  publishedAt: number;
  shareToFeed: boolean;
  copyrightMatch: boolean;
  options: Record<string, string>;
  comments: { id: string; text: string; at: number }[];
  files: { sha256: string; bytes: number; path: string; contentType: string }[];
  cover: { sha256: string; bytes: number } | null;
}

interface Stored {
  containers: Container[];
  published: PublishedItem[];
  publishCalls: number;
}

/**
 * Containers and published media. Saved after each change, because published media must survive a restart of the process; fetches that
 * a restart interrupts end in an error.
 */
export class InstagramState {
  readonly containers = new Map<string, Container>();
  published: PublishedItem[] = [];
  publishCalls = 0;

  /** Without a path the state is kept in memory only. */
  constructor(private readonly path: string | null) {
    if (path === null || !existsSync(path)) return;
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored;
    for (const container of stored.containers) {
      container.options ??= {};
      const interrupted = !container.settled && !container.upload;
      this.containers.set(container.id, interrupted ? { ...container, settled: true, errorSubcode: 2207082 } : container);
    }
    // the state of an older program lacks newer fields
    this.published = stored.published.map((item) => ({ ...{ options: {}, comments: [], cover: null }, ...item }));
    this.publishCalls = stored.publishCalls;
  }

  save(): void {
    if (this.path === null) return;
    const stored: Stored = { containers: [...this.containers.values()], published: this.published, publishCalls: this.publishCalls };
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.part`, JSON.stringify(stored));
    renameSync(`${this.path}.part`, this.path);
  }

  clear(): void {
    this.containers.clear();
    this.published = [];
    this.publishCalls = 0;
    this.save();
  }
}

/** Ids have 17 digits, more than a JavaScript number can represent. */
export function newGraphId(): string {
  return `17${(randomBytes(8).readBigUInt64BE() % 10n ** 15n).toString().padStart(15, '0')}`;
}

export function newShortcode(): string {
  return `D${randomBytes(8).toString('base64url').slice(0, 10)}`;
}

type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

export const CONTAINER_LIFE_MS = 86_400_000;

export function statusOf(container: Container, now: number): ContainerStatus {
  if (container.publishedMediaId !== null) return 'PUBLISHED';
  if (now - container.createdAt >= CONTAINER_LIFE_MS) return 'EXPIRED';
  if (container.errorSubcode !== null && container.settled) return 'ERROR';
  return container.settled && now >= container.readyAt ? 'FINISHED' : 'IN_PROGRESS';
}

const STATUS_TEXTS: Readonly<Record<ContainerStatus, string>> = {
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been successfully published.',
  EXPIRED: 'Expired: The container was not published within 24 hours and has expired.',
  ERROR: 'Error: Media upload has failed with error code ',
  IN_PROGRESS: 'In Progress: Media is still being processed.',
};

/** The `status` text; it is the only place with the subcode of a failure. */
export const statusText = ({ errorSubcode }: Container, status: ContainerStatus): string =>
  `${STATUS_TEXTS[status]}${status === 'ERROR' ? errorSubcode : ''}`;
