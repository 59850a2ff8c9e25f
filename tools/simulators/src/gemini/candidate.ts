import { looseJsonAnswer, proseAnswer, schemaAnswer, type Schema } from '../language/schema-answer';
import { stableId64 } from '../server/stable-random';
import { textTokens } from '../language/subject';
import type { Prompt } from './prompt';
import { isObject, type JsonObject } from './request-shape';

const THOUGHTS = 64;

/** The one candidate of an answer: text that fits the asked schema, or one of the ways in which answers go wrong. */
export function candidateFor(
  config: JsonObject,
  prompt: Prompt,
  behaviours: ReadonlySet<string>,
): { candidate: JsonObject; written: string; thoughts: number } {
  const finish = [...behaviours].map((behaviour) => /^finish_(\w+)$/.exec(behaviour)?.[1]).find((reason) => reason !== undefined);
  if (finish) return { candidate: { finishReason: finish, index: 0 }, written: '', thoughts: 0 };
  const limit = Number(config.maxOutputTokens ?? 65_536);
  if (behaviours.has('max_tokens_empty') || limit <= THOUGHTS / 2) {
    return {
      candidate: { content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 },
      written: '',
      thoughts: Math.min(limit, THOUGHTS),
    };
  }
  const whole = textFor(config, prompt);
  const cut = behaviours.has('max_tokens_cut') || textTokens(whole) > limit;
  const written = cut ? whole.slice(0, behaviours.has('max_tokens_cut') ? Math.floor(whole.length * 0.6) : limit * 4) : whole;
  const content = { parts: partsFor(written, prompt, behaviours), role: 'model' };
  return { candidate: { content, finishReason: cut ? 'MAX_TOKENS' : 'STOP', index: 0 }, written, thoughts: THOUGHTS };
}

function textFor(config: JsonObject, { subject }: Prompt): string {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  if (isObject(schema)) return JSON.stringify(schemaAnswer(schema as Schema, subject));
  return config.responseMimeType === 'application/json' ? JSON.stringify(looseJsonAnswer(subject)) : proseAnswer(subject);
}

function partsFor(written: string, { subject }: Prompt, behaviours: ReadonlySet<string>): JsonObject[] {
  if (behaviours.has('fenced')) return [{ text: `\`\`\`json\n${written}\n\`\`\`` }];
  if (behaviours.has('thought_first'))
    return [
      { text: 'Let me look at the frames first.', thought: true },
      { text: written, thoughtSignature: stableId64(subject.seed, 43) },
    ];
  if (behaviours.has('several_parts')) {
    const third = Math.ceil(written.length / 3);
    return [0, 1, 2].map((index) => ({ text: written.slice(index * third, (index + 1) * third) }));
  }
  return [{ text: written }];
}
