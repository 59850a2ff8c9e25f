import type { z } from 'zod';

export const SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;
export type Service = (typeof SERVICES)[number];

/** One environment variable: how it is read, and what `.env.example` says about it. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  /** Reads the text; `undefined` where it is not set. Carries the default. */
  schema: Schema;
  /** One sentence. */
  meaning: string;
  /** As it would stand in the file; empty where there is none. */
  defaultText: string;
  /** Where a person gets the value. */
  source?: string;
  /** Never shown, never logged. */
  secret?: boolean;
  /** Needed by these services; a missing one is refused. */
  requiredBy?: readonly Service[];
  /** Where all of these are set, it is not required. */
  replacedBy?: readonly string[];
}

export type VariableGroup = Record<string, Variable>;
