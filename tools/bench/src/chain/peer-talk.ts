import type { ChainStage } from './peers/chain-peer';

/** What a side's process is told when it starts. */
export interface PeerStart {
  peer: string;
  databaseUrl: string;
  redisPort: number;
}

/** To the process: send `n` items through the chain, or end. */
export type PeerOrder = { items: number } | 'end';

/** From the process: it stands, or the items are through and nothing is left; or why not. */
export type PeerWord = 'ready' | { seconds: number; runs: Record<ChainStage, number>; distinct: number } | { trouble: string };
