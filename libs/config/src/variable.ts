import type { z } from 'zod';

export const SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;
export type Service = (typeof SERVICES)[number];

/** An environment variable: how it is read, and its entry in `.env.example`. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Parses the text; `undefined`, for a variable that is not set, yields the default if it has one. */
  schema: Schema;
  /** One sentence. */
  meaning: string;
  /** Where to get the value. */
  source?: string;
  /** Never shown, never logged. */
  secret?: boolean;
  /** Needed by these services; a missing one is refused. */
  requiredBy?: readonly Service[];
  /** Not required when all of these are set. */
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
