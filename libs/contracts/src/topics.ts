import type { z } from 'zod';
import { factSchema } from './events/fact';
import { deadLetterSchema, stageRequestSchema } from './events/stage-request';
import { STAGES, type Stage } from './vocabulary';

export interface Topic {
  name: string;
  /** What the message key is: it decides the partition, and with it the order. */
  key: 'itemId' | 'subredditId' | 'accountId' | 'subjectId';
  schema: z.ZodType;
  /** The stage that consumes it, `null` for facts and dead letters. */
  stage: Stage | null;
  /** 12 partitions = at most 12 pods a stage. */
  partitions: number;
  retentionMs: number;
}

const DAY_MS = 86_400_000;
const PARTITIONS = 12;

const KEY_OF: Record<Stage, Topic['key']> = {
  collect: 'subredditId',
  download: 'itemId',
  dmca: 'itemId',
  ai: 'itemId',
  post: 'accountId',
  reconcile: 'accountId',
};

const requestTopic = (stage: Stage): Topic => ({
  name: `pipeline.${stage}.requested.v1`,
  key: KEY_OF[stage],
  schema: stageRequestSchema,
  stage,
  partitions: PARTITIONS,
  retentionMs: 7 * DAY_MS,
});

const deadTopic = (stage: Stage): Topic => ({
  name: `pipeline.${stage}.dead.v1`,
  key: 'subjectId',
  schema: deadLetterSchema,
  stage: null,
  partitions: 1,
  retentionMs: 30 * DAY_MS,
});

const perStage = (topic: (stage: Stage) => Topic) =>
  Object.fromEntries(STAGES.map((stage) => [stage, topic(stage)])) as Record<Stage, Topic>;

/** THE list of topics. Nothing else in the product names one. */
export const topics = {
  requested: perStage(requestTopic),
  dead: perStage(deadTopic),
  facts: {
    name: 'pipeline.facts.v1',
    key: 'subjectId',
    schema: factSchema,
    stage: null,
    partitions: PARTITIONS,
    retentionMs: 7 * DAY_MS,
  } satisfies Topic,
} as const;

export const allTopics: readonly Topic[] = [...Object.values(topics.requested), ...Object.values(topics.dead), topics.facts];

/** The application that runs a stage; with the stage it is the name of the consumer group. */
export const APP_OF_STAGE: Record<Stage, 'downloader' | 'dmca-worker' | 'ai-worker' | 'instagram-poster'> = {
  collect: 'downloader',
  download: 'downloader',
  dmca: 'dmca-worker',
  ai: 'ai-worker',
  post: 'instagram-poster',
  reconcile: 'instagram-poster',
};

export const consumerGroup = (stage: Stage): string => `${APP_OF_STAGE[stage]}.${stage}`;
