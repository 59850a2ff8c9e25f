import { openAutoposter } from './autoposter.peer';
import { openBullmq } from './bullmq.peer';
import type { ChainPeer, OnLast, PeerSettings } from './chain-peer';
import { openGraphile } from './graphile.peer';
import { openPgBoss } from './pg-boss.peer';

export const PEERS: Record<string, (settings: PeerSettings, onLast: OnLast) => Promise<ChainPeer>> = {
  autoposter: openAutoposter,
  bullmq: openBullmq,
  'pg-boss': openPgBoss,
  'graphile-worker': openGraphile,
};
