import { Refusal } from '../server/answer';
import { subjectOf, textTokens, type Subject } from '../language/subject';
import type { FileShelf } from './file-shelf';
import { foreignFile, geminiError, invalidArgument } from './gemini-errors';
import { MEDIA_TYPES } from './models';
import { isObject, type JsonObject } from './request-shape';

/** What a request holds, read and counted. */
export interface Prompt {
  subject: Subject;
  tokens: number;
  details: { modality: string; tokenCount: number }[];
}

const TOKENS = { image: 258, videoSecond: 258, soundSecond: 32, lowResolutionFrame: 66 };
const INPUT_LIMIT = 1_048_576;

/** Reads contents and media and refuses what the API refuses. */
export async function readPrompt(files: FileShelf, body: JsonObject): Promise<Prompt> {
  const contents = Array.isArray(body.contents) ? body.contents : isObject(body.contents) ? [body.contents] : [];
  if (contents.length === 0) throw new Refusal(invalidArgument('* GenerateContentRequest.contents: contents is not specified', 'contents'));
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const low = config.mediaResolution === 'MEDIA_RESOLUTION_LOW';
  const texts: string[] = [];
  const media: string[] = [];
  const counts = new Map<string, number>();
  const count = (modality: string, tokens: number): void => void counts.set(modality, (counts.get(modality) ?? 0) + Math.round(tokens));
  for (const content of [body.systemInstruction, ...contents].filter(isObject)) {
    if (content.role !== undefined && !['user', 'model', 'system', 'function'].includes(String(content.role))) {
      throw new Refusal(invalidArgument('Please use a valid role: user, model.'));
    }
    const parts = Array.isArray(content.parts) ? content.parts : isObject(content.parts) ? [content.parts] : [];
    if (parts.length === 0)
      throw new Refusal(
        invalidArgument('* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.', 'contents[0].parts'),
      );
    for (const part of parts.filter(isObject)) {
      if (typeof part.text === 'string') {
        texts.push(part.text);
        count('TEXT', textTokens(part.text));
      }
      const found = await mediaOf(files, part);
      if (!found) continue;
      media.push(found.key);
      if (found.mimeType.startsWith('video/')) {
        count('VIDEO', found.seconds * (low ? TOKENS.lowResolutionFrame : TOKENS.videoSecond));
        count('AUDIO', found.seconds * TOKENS.soundSecond);
      } else {
        count('IMAGE', TOKENS.image);
      }
    }
  }
  const details = [...counts].map(([modality, tokenCount]) => ({ modality, tokenCount }));
  const tokens = details.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  if (tokens > INPUT_LIMIT)
    throw new Refusal(invalidArgument(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${INPUT_LIMIT}).`));
  return { subject: subjectOf(texts, media), tokens, details };
}

async function mediaOf(files: FileShelf, part: JsonObject): Promise<{ key: string; mimeType: string; seconds: number } | null> {
  if (isObject(part.inlineData)) return inline(files, part.inlineData);
  if (!isObject(part.fileData)) return null;
  const uri = String(part.fileData.fileUri ?? '');
  const id = /\/files\/([^/?]+)$/.exec(uri)?.[1] ?? uri;
  const file = files.find(id);
  if (!file) throw new Refusal(foreignFile(id));
  const state = files.stateOf(file);
  if (state !== 'ACTIVE') {
    throw new Refusal(geminiError(400, 'FAILED_PRECONDITION', `The File ${id} is not in an ACTIVE state and usage is not allowed.`));
  }
  return { key: file.sha256, mimeType: file.mimeType, seconds: file.seconds ?? 0 };
}

async function inline(files: FileShelf, blob: JsonObject): Promise<{ key: string; mimeType: string; seconds: number }> {
  const mimeType = String(blob.mimeType ?? '');
  const data = String(blob.data ?? '');
  if (!MEDIA_TYPES.includes(mimeType)) throw new Refusal(invalidArgument(`Unsupported MIME type: ${mimeType}`));
  if (data === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(data)) {
    throw new Refusal(invalidArgument("Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed"));
  }
  const seconds = await files.durationOf(Buffer.from(data, 'base64'), mimeType);
  if (seconds === null)
    throw new Refusal(
      invalidArgument(mimeType.startsWith('image/') ? 'Provided image is not valid.' : 'Request contains an invalid argument.'),
    );
  return { key: data, mimeType, seconds };
}

/** What cannot go together in a generation's settings. */
export function checkConfig(config: JsonObject, thinking: 'level' | 'budget'): void {
  const stop = (message: string): never => {
    throw new Refusal(invalidArgument(message));
  };
  const wantsSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined;
  if (wantsSchema && config.responseMimeType !== 'application/json') stop('Response schema requires response mime type: application/json');
  if (config.responseSchema !== undefined && config.responseJsonSchema !== undefined)
    stop('Only one of response_schema and response_json_schema can be set.');
  const wrong = config.responseSchema === undefined ? null : schemaFault(config.responseSchema, 'generation_config.response_schema');
  if (wrong) stop(wrong);
  const temperature = Number(config.temperature ?? 1);
  if (!(temperature >= 0 && temperature <= 2))
    stop(`* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].`);
  if (config.maxOutputTokens !== undefined && !(Number(config.maxOutputTokens) > 0)) stop('max_output_tokens must be positive.');
  const plan = isObject(config.thinkingConfig) ? config.thinkingConfig : {};
  if (plan.thinkingBudget !== undefined && plan.thinkingLevel !== undefined)
    stop('You can only set only one of thinking budget and thinking level.');
  if (plan.thinkingLevel !== undefined && thinking === 'budget') stop('Thinking level is not supported for this model.');
}

const SCHEMA_FIELDS = [
  ...[
    'type',
    'format',
    'title',
    'description',
    'nullable',
    'enum',
    'maxItems',
    'minItems',
    'properties',
    'required',
    'minProperties',
    'maxProperties',
  ],
  ...['minLength', 'maxLength', 'pattern', 'example', 'anyOf', 'propertyOrdering', 'default', 'items', 'minimum', 'maximum'],
];
const SCHEMA_TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];

/** `responseSchema` knows a part of OpenAPI only: no free maps, no references. */
function schemaFault(schema: unknown, path: string): string | null {
  if (!isObject(schema)) return `Invalid value at '${path}'`;
  for (const name of Object.keys(schema)) {
    const camel = name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
    if (!SCHEMA_FIELDS.includes(camel)) return `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`;
  }
  if (schema.type !== undefined && !SCHEMA_TYPES.includes(String(schema.type).toUpperCase()))
    return `Invalid value at '${path}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${String(schema.type)}"`;
  const type = String(schema.type ?? '').toUpperCase();
  if (type === 'ARRAY' && schema.items === undefined) return `* GenerateContentRequest.${path}.items: missing field.`;
  if (type === 'OBJECT' && Object.keys((schema.properties ?? {}) as object).length === 0)
    return `* GenerateContentRequest.${path}.properties: should be non-empty for OBJECT type`;
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as object)) {
    const fault = schemaFault(inner, `${path}.properties['${name}']`);
    if (fault) return fault;
  }
  return schema.items === undefined ? null : schemaFault(schema.items, `${path}.items`);
}
