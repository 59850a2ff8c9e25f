export const CHAIN = ['one', 'two', 'three', 'four'] as const;
export type ChainStage = (typeof CHAIN)[number];

/** Jobs at a time per stage, for every side. */
export const CONCURRENCY = 8;

export interface PeerSettings {
  databaseUrl: string;
  redisPort: number;
}

/** Called by the last of the four stages. */
export type OnLast = (item: string) => void;

export interface ChainPeer {
  /** Takes a new item in; its first stage goes on by itself. */
  enter(item: string): Promise<void>;
  /** How often each stage ran. */
  runs(): Record<ChainStage, number>;
  /** Whether nothing is left to do or to settle. */
  isIdle(): Promise<boolean>;
  close(): Promise<void>;
}

export const noRuns = (): Record<ChainStage, number> => ({ one: 0, two: 0, three: 0, four: 0 });

export const following = (stage: ChainStage): ChainStage | null => CHAIN[CHAIN.indexOf(stage) + 1] ?? null;
