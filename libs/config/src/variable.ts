import type { z } from 'zod';

export const SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;
export type Service = (typeof SERVICES)[number];

/** One environment variable: how it is read, and what `.env.example` says about it. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Parses the text; `undefined` where it is not set. Contains the default. */
  schema: Schema;
  /** One sentence. */
  meaning: string;
  /** As written in the file; empty without a default. */
  defaultText: string;
  /** Where to get the value. */
  source?: string;
  /** Never shown, never logged. */
  secret?: boolean;
  /** Needed by these services; a missing one is refused. */
  requiredBy?: readonly Service[];
  /** Not required where all of these are set. */
  replacedBy?: readonly string[];
}

export type VariableGroup = Record<string, Variable>;

export interface WrongVariable {
  name: string;
  /** What is wrong with it, without its value. */
  problem: string;
  meaning: string;
  source?: string;
}

/** Names every wrong or missing variable at once, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly wrong: readonly WrongVariable[]) {
    super(`The configuration is not complete:\n${wrong.map(describe).join('\n')}`);
  }
}

const describe = ({ name, problem, meaning, source }: WrongVariable): string =>
  `  ${name} ${problem}. ${meaning}${source ? ` Where to get it: ${source}.` : ''}`;
