import { z } from 'zod';
import type { Schema } from '../language/schema-answer';
import { type SimResponse, json, reject } from '../server/http';
import type { ExceededLimit } from '../server/limits';
import { durationText } from './quota';

export interface GroqModel {
  owner: string;
  context: number;
  output: number;
  /** Supports strict structured output. */
  strict: boolean;
  vision: boolean;
  reasoning: boolean;
}

const gptOss: GroqModel = { owner: 'OpenAI', context: 131_072, output: 65_536, strict: true, vision: false, reasoning: true };
const open = (owner: string, more: Partial<GroqModel> = {}): GroqModel => ({
  owner,
  context: 131_072,
  output: 32_768,
  strict: false,
  vision: false,
  reasoning: false,
  ...more,
});

export const GROQ_MODELS: Readonly<Record<string, GroqModel>> = {
  'openai/gpt-oss-120b': gptOss,
  'openai/gpt-oss-20b': gptOss,
  'llama-3.1-8b-instant': open('Meta'),
  'qwen/qwen3.6-27b': open('Alibaba Cloud', { reasoning: true }),
  'qwen/qwen3-32b': open('Alibaba Cloud', { reasoning: true }),
  'meta-llama/llama-4-scout-17b-16e-instruct': open('Meta', { vision: true }),
  'meta-llama/llama-4-maverick-17b-128e-instruct': open('Meta', { vision: true }),
  'moonshotai/kimi-k2-instruct': open('Moonshot AI'),
};

export const DECOMMISSIONED: readonly string[] = ['llama-3.3-70b-versatile', 'llama3-70b-8192', 'mixtral-8x7b-32768', 'gemma2-9b-it'];

export function groqError(
  status: number,
  message: string,
  type = 'invalid_request_error',
  code?: string,
  more: Record<string, unknown> = {},
): SimResponse {
  return json(status, { error: { message, type, ...(code ? { code } : {}), ...more } });
}

export const wrongKey = (): SimResponse => groqError(401, 'Invalid API Key', 'invalid_request_error', 'invalid_api_key');

export const unknownModel = (model: string): SimResponse =>
  groqError(404, `The model \`${model}\` does not exist or you do not have access to it.`, 'invalid_request_error', 'model_not_found');

export const decommissioned = (model: string): SimResponse =>
  groqError(
    400,
    `The model \`${model}\` has been decommissioned and is no longer supported. Please refer to https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.`,
    'invalid_request_error',
    'model_decommissioned',
  );

/** A request larger than the token limit gets 413, any other exceeded limit 429 with `retry-after`. */
export function rateLimited(model: string, stop: ExceededLimit, wait = durationText(stop.waitSeconds)): SimResponse {
  const place = `model \`${model}\` in organization \`org_simulated\` service tier \`on_demand\` on ${stop.name}`;
  if (stop.kind === 'tokens' && stop.requested > stop.max) {
    return groqError(
      413,
      `Request too large for ${place}: Limit ${stop.max}, Requested ${stop.requested}, please reduce your message size and try again. Visit https://console.groq.com/docs/rate-limits for more information.`,
      'tokens',
      'rate_limit_exceeded',
    );
  }
  const response = groqError(
    429,
    `Rate limit reached for ${place}: Limit ${stop.max}, Used ${stop.used}, Requested ${stop.requested}. Please try again in ${wait}. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    stop.kind,
    'rate_limit_exceeded',
  );
  return { ...response, headers: { ...response.headers, 'retry-after': String(Math.ceil(stop.waitSeconds)) } };
}

export const TOO_LONG = groqError(
  400,
  'Please reduce the length of the messages or completion.',
  'invalid_request_error',
  'context_length_exceeded',
);

const part = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }),
]);
const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'developer']),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});
const responseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string(),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const chatSchema = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  max_tokens: z.int().positive().nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.literal(1).nullish(),
  frequency_penalty: z.number().nullish(),
  presence_penalty: z.number().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(['none', 'default', 'low', 'medium', 'high']).nullish(),
  reasoning_format: z.enum(['hidden', 'raw', 'parsed']).nullish(),
  include_reasoning: z.boolean().nullish(),
  service_tier: z.enum(['on_demand', 'flex', 'auto', 'performance']).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.unknown().optional(),
  tools: z.array(z.unknown()).nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  user: z.string().nullish(),
});

export type ChatRequest = z.output<typeof chatSchema>;

/** Validates the request body; rejects fields that Groq does not support. */
export function readChat(body: unknown): ChatRequest {
  const parsed = chatSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue?.code === 'unrecognized_keys') reject(groqError(400, `property '${issue.keys[0]}' is unsupported`));
  reject(groqError(400, `'${issue?.path.join('.') ?? 'body'}' : ${issue?.message ?? 'malformed'}`));
}

export function checkChat(chat: ChatRequest, model: GroqModel): void {
  const stop = (text: string): never => reject(groqError(400, text));
  const format = chat.response_format?.type ?? 'text';
  const most = chat.max_completion_tokens ?? chat.max_tokens ?? 0;
  if (most > model.output)
    stop(`\`max_completion_tokens\` must be less than or equal to \`${model.output}\`, the maximum value for this model`);
  if (!model.vision && images(chat).length > 0) stop('messages: content must be a string for this model');
  if (format === 'json_object' && !/json/i.test(texts(chat).join(' ')))
    stop("'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.");
  if (format !== 'text' && (chat.stream || (chat.tools?.length ?? 0) > 0))
    stop('response_format cannot be combined with streaming or tools.');
  if (format !== 'text' && chat.reasoning_format === 'raw') stop('reasoning_format raw cannot be combined with JSON mode.');
  if (chat.reasoning_format && chat.include_reasoning !== undefined && chat.include_reasoning !== null)
    stop('reasoning_format and include_reasoning are mutually exclusive.');
  if (chat.reasoning_effort && !model.reasoning) stop("property 'reasoning_effort' is unsupported for this model");
  const effort = chat.reasoning_effort;
  if (effort && model.strict === (effort === 'none' || effort === 'default'))
    stop(`reasoning_effort '${effort}' is not supported for this model`);
  const asked = chat.response_format?.type === 'json_schema' ? chat.response_format.json_schema : null;
  if (asked?.strict && !model.strict) stop('strict structured output is not supported for this model');
  const fault = asked?.strict ? strictError(asked.schema, 'response_format') : null;
  if (fault) stop(`invalid JSON schema for response_format: '${asked?.name}': ${fault}`);
}

/** Strict schemas require every property and forbid additional ones. */
function strictError(schema: Schema, path: string): string | null {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (schema.type === 'object' || properties.length > 0) {
    if (schema.additionalProperties !== false) return `${path}: additionalProperties:false must be set on every object`;
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : [];
    const missing = properties.find(([name]) => !required.includes(name))?.[0];
    if (missing) return `${path}: '${missing}' must be in required`;
  }
  const inner = [
    ...properties,
    ...(typeof schema.items === 'object' && schema.items !== null ? [['items', schema.items as Schema] as const] : []),
    ...Object.entries((schema.$defs ?? {}) as Record<string, Schema>),
    ...((schema.anyOf ?? []) as Schema[]).map((option, index) => [`anyOf/${index}`, option] as const),
  ];
  for (const [name, child] of inner) {
    const fault = strictError(child, `${path}/${name}`);
    if (fault) return fault;
  }
  return null;
}

export function texts(chat: ChatRequest): string[] {
  return chat.messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content];
    return (content ?? []).flatMap((entry) => (entry.type === 'text' ? [entry.text] : []));
  });
}

export function images(chat: ChatRequest): string[] {
  return chat.messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((entry) => (entry.type === 'image_url' ? [entry.image_url.url] : [])) : [],
  );
}
