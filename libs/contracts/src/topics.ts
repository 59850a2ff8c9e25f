import type { z } from 'zod';
import { deadLetterSchema, factSchema, stageRequestSchema } from './messages';
import { STAGE_CATALOGUE, type StageCatalogue, type StageEntry } from './stages/stage-catalogue';

export interface Topic {
  name: string;
  /** What the message key is: it decides the partition, and with it the order. */
  key: StageEntry['topicKey'] | 'subjectId';
  schema: z.ZodType;
  /** The stage that consumes it, `null` for facts and dead letters. */
  stage: string | null;
  /** 12 partitions = at most 12 pods per stage. */
  partitions: number;
  retentionMs: number;
}

const DAY_MS = 86_400_000;
const PARTITIONS = 12;

const requestTopic = ({ name, topicKey }: StageEntry): Topic => ({
  name: `pipeline.${name}.requested.v1`,
  key: topicKey,
  schema: stageRequestSchema,
  stage: name,
  partitions: PARTITIONS,
  retentionMs: 7 * DAY_MS,
});

const deadTopic = ({ name }: StageEntry): Topic => ({
  name: `pipeline.${name}.dead.v1`,
  key: 'subjectId',
  schema: deadLetterSchema,
  stage: null,
  partitions: 1,
  retentionMs: 30 * DAY_MS,
});

const factsTopic: Topic = {
  name: 'pipeline.facts.v1',
  key: 'subjectId',
  schema: factSchema,
  stage: null,
  partitions: PARTITIONS,
  retentionMs: 7 * DAY_MS,
};

function topicsOf<C extends StageCatalogue>(catalogue: C) {
  const perStage = (topic: (entry: StageEntry) => Topic) =>
    Object.fromEntries(catalogue.map((entry) => [entry.name, topic(entry)])) as Record<C[number]['name'], Topic>;
  return { requested: perStage(requestTopic), dead: perStage(deadTopic), facts: factsTopic };
}

/** All topics of the product; no other code names one. */
export const topics = topicsOf(STAGE_CATALOGUE);

export const allTopics: readonly Topic[] = [...Object.values(topics.requested), ...Object.values(topics.dead), topics.facts];
