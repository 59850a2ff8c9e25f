export const CHAIN = ['one', 'two', 'three', 'four'] as const;
export type ChainStage = (typeof CHAIN)[number];

/** Concurrent jobs per stage, the same for every peer. */
export const CONCURRENCY = 8;

/** Duration of a job of the worker that `bench scale` measures. */
export const WORKER_JOB_MS = 50;

export interface PeerSettings {
  databaseUrl: string;
  redisPort: number;
  /** Brokers that announce Autoposter's jobs; by default PostgreSQL does. */
  brokers?: readonly string[];
  /** Milliseconds between two polls of Autoposter; default as in the product. */
  pollMs?: number;
}

/** Called by the last of the four stages. */
export type OnFinished = (item: string) => void;

export interface ChainPeer {
  /** Adds an item to the first stage. */
  add(item: string): Promise<void>;
  /** Executed jobs per stage. */
  runs(): Record<ChainStage, number>;
  /** Whether no job is left to run or to acknowledge. */
  isIdle(): Promise<boolean>;
  close(): Promise<void>;
}

export const noRuns = (): Record<ChainStage, number> => ({ one: 0, two: 0, three: 0, four: 0 });

export const nextStageOf = (stage: ChainStage): ChainStage | null => CHAIN[CHAIN.indexOf(stage) + 1] ?? null;

/** The argument of a peer's process. */
export interface PeerStart extends PeerSettings {
  peer: string;
}

/** Messages to a peer's process: send that many items through the chain, or exit. */
export type PeerCommand = { items: number } | 'exit';

/** Result of `{ items }`, sent when all items passed the chain and the peer is idle. */
export interface ChainRun {
  seconds: number;
  runs: Record<ChainStage, number>;
  /** Distinct items that passed the last stage. */
  distinct: number;
}

/** Messages from a peer's process. */
export type PeerMessage = 'ready' | ChainRun | { error: string };
