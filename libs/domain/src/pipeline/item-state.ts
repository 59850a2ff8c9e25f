import type { DownloadStatus, ItemStage } from '@autoposter/contracts';
import type { TransitionTable } from './transitions';

/**
 * Inner state of a content item. The `-ing` states mean "requested or running": the stage job knows which.
 * `blocked` is what rights safety refused.
 */
export const ITEM_STATES = [
  'accepted',
  'downloading',
  'downloaded',
  'protecting',
  'protected',
  'captioning',
  'ready',
  'queued',
  'posting',
  'posted',
  'failed',
  'blocked',
  'discarded',
  'deleted',
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

export const INITIAL_ITEM_STATES: readonly ItemState[] = ['accepted'];

export const ITEM_TRANSITIONS: TransitionTable<ItemState> = {
  accepted: ['downloading', 'failed', 'deleted'],
  downloading: ['downloaded', 'protecting', 'failed', 'blocked', 'deleted'],
  downloaded: ['protecting', 'failed', 'discarded', 'deleted'],
  protecting: ['downloaded', 'protected', 'captioning', 'blocked', 'failed', 'deleted'],
  protected: ['captioning', 'ready', 'blocked', 'failed', 'discarded', 'deleted'],
  captioning: ['protected', 'ready', 'queued', 'blocked', 'failed', 'discarded', 'deleted'],
  ready: ['queued', 'captioning', 'protecting', 'blocked', 'failed', 'discarded', 'deleted'],
  queued: ['posting', 'ready', 'blocked', 'failed', 'deleted'],
  posting: ['posted', 'ready'],
  posted: ['discarded', 'deleted'],
  failed: ['downloading', 'protecting', 'captioning', 'ready', 'blocked', 'discarded', 'deleted'],
  blocked: ['protecting', 'discarded', 'deleted'],
  discarded: ['downloading', 'downloaded', 'protected', 'ready', 'failed', 'blocked', 'posted', 'deleted'],
  deleted: ['downloading'],
};

/** Status of a download on the wire. Discarded and deleted items are not shown. */
export const DOWNLOAD_STATUS_OF: Record<Exclude<ItemState, 'discarded' | 'deleted'>, DownloadStatus> = {
  accepted: 'pending',
  downloading: 'processing',
  downloaded: 'downloaded',
  protecting: 'processing',
  protected: 'downloaded',
  captioning: 'processing',
  ready: 'completed',
  queued: 'completed',
  posting: 'completed',
  posted: 'completed',
  failed: 'failed',
  blocked: 'failed',
};

/** The state that an item has while a stage works on it or is about to. */
export const STATE_DURING: Record<ItemStage, ItemState> = { download: 'downloading', dmca: 'protecting', ai: 'captioning' };

/** The state in which an item waits once a stage is done and nothing follows by itself. */
export const STATE_AFTER: Record<ItemStage, ItemState> = { download: 'downloaded', dmca: 'protected', ai: 'ready' };
