import { reject } from '../server/http';
import { invalidArgument } from './gemini-errors';

const names = (text: string): string[] => text.split(/\s+/);

/** Allowed field names in camelCase; `inner` maps a field to the message type of its value. */
interface Message {
  fields: readonly string[];
  inner?: Readonly<Record<string, string>>;
}

const MESSAGES: Readonly<Record<string, Message>> = {
  request: {
    fields: names(`model contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent serviceTier
      store`),
    inner: { contents: 'content', systemInstruction: 'content', generationConfig: 'config', safetySettings: 'safety' },
  },
  content: { fields: ['role', 'parts'], inner: { parts: 'part' } },
  part: {
    fields: names(`text inlineData fileData videoMetadata thought thoughtSignature functionCall functionResponse executableCode
      codeExecutionResult mediaResolution partMetadata`),
    inner: { inlineData: 'blob', fileData: 'file', videoMetadata: 'video' },
  },
  blob: { fields: ['mimeType', 'data', 'displayName'] },
  file: { fields: ['mimeType', 'fileUri', 'displayName'] },
  video: { fields: ['fps', 'startOffset', 'endOffset'] },
  safety: { fields: ['category', 'threshold', 'method'] },
  config: {
    fields: names(`temperature topP topK maxOutputTokens candidateCount stopSequences responseMimeType responseSchema
      responseJsonSchema seed thinkingConfig mediaResolution presencePenalty frequencyPenalty responseLogprobs
      logprobs responseModalities speechConfig audioTimestamp enableEnhancedCivicAnswers imageConfig`),
    inner: { thinkingConfig: 'thinking' },
  },
  thinking: { fields: ['thinkingBudget', 'thinkingLevel', 'includeThoughts'] },
};

export type JsonObject = Record<string, unknown>;

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());

/** Converts snake_case to camelCase and rejects the first unknown field. Schemas and functions are not checked. */
export function canonical(value: unknown, message = 'request', path = ''): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => canonical(entry, message, `${path}[${index}]`));
  if (!isObject(value)) return value;
  const shape = MESSAGES[message];
  const result: JsonObject = {};
  for (const [given, entry] of Object.entries(value)) {
    const name = camelCase(given);
    if (!shape?.fields.includes(name)) {
      const place = path === '' ? '' : ` at '${path}'`;
      return reject(invalidArgument(`Invalid JSON payload received. Unknown name "${given}"${place}: Cannot find field.`, 'contents'));
    }
    const inner = shape.inner?.[name];
    result[name] = inner ? canonical(entry, inner, path === '' ? name : `${path}.${name}`) : entry;
  }
  return result;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OUTPUT_LIMIT = 65_536;
const LEVELS: readonly unknown[] = ['minimal', 'low', 'medium', 'high'];
const RESOLUTIONS: readonly unknown[] = ['LOW', 'MEDIUM', 'HIGH', 'UNSPECIFIED'].map((size) => `MEDIA_RESOLUTION_${size}`);
const HARMS: readonly unknown[] = 'HARASSMENT HATE_SPEECH SEXUALLY_EXPLICIT DANGEROUS_CONTENT CIVIC_INTEGRITY'
  .split(' ')
  .map((harm) => `HARM_CATEGORY_${harm}`);
const THRESHOLDS: readonly unknown[] = names('BLOCK_LOW_AND_ABOVE BLOCK_MEDIUM_AND_ABOVE BLOCK_ONLY_HIGH BLOCK_NONE OFF');

/** Rejects unknown enum values. */
export function checkSafety(settings: unknown): void {
  for (const [index, setting] of (Array.isArray(settings) ? settings : []).entries()) {
    const { category, threshold } = isObject(setting) ? setting : {};
    const wrong = !HARMS.includes(category) ? ['category', category] : !THRESHOLDS.includes(threshold) ? ['threshold', threshold] : null;
    if (wrong) reject(invalidArgument(`Invalid value at 'safety_settings[${index}].${String(wrong[0])}', "${String(wrong[1])}"`));
  }
}

/** Rejects values out of range and invalid combinations. */
export function checkConfig(config: JsonObject, thinking: 'level' | 'budget'): void {
  const stop = (message: string): never => reject(invalidArgument(message));
  const wantsSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined;
  if (wantsSchema && config.responseMimeType !== 'application/json') stop('Response schema requires response mime type: application/json');
  if (config.responseSchema !== undefined && config.responseJsonSchema !== undefined)
    stop('Only one of response_schema and response_json_schema can be set.');
  const wrong = config.responseSchema === undefined ? null : schemaError(config.responseSchema, 'generation_config.response_schema');
  if (wrong) stop(wrong);
  const temperature = Number(config.temperature ?? 1);
  if (!(temperature >= 0 && temperature <= 2))
    stop(`* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].`);
  const topP = Number(config.topP ?? 1);
  if (!(topP >= 0 && topP <= 1)) stop('* GenerateContentRequest.generation_config.top_p: top_p must be in the range [0.0, 1.0].');
  const most = Number(config.maxOutputTokens ?? OUTPUT_LIMIT);
  if (!(Number.isInteger(most) && most > 0 && most <= OUTPUT_LIMIT))
    stop(
      `Unable to submit request because it has a maxOutputTokens value of ${most} but the supported range is from 1 (inclusive) to ${OUTPUT_LIMIT + 1} (exclusive).`,
    );
  if (config.mediaResolution !== undefined && !RESOLUTIONS.includes(config.mediaResolution))
    stop(`Invalid value at 'generation_config.media_resolution', "${String(config.mediaResolution)}"`);
  const plan = isObject(config.thinkingConfig) ? config.thinkingConfig : {};
  if (plan.thinkingBudget !== undefined && plan.thinkingLevel !== undefined)
    stop('You can only set only one of thinking budget and thinking level.');
  if (plan.thinkingLevel !== undefined && thinking === 'budget') stop('Thinking level is not supported for this model.');
  if (plan.thinkingBudget !== undefined && thinking === 'level') stop('Thinking budget is not supported for this model.');
  if (plan.thinkingLevel !== undefined && !LEVELS.includes(String(plan.thinkingLevel).toLowerCase()))
    stop(`Invalid value at 'generation_config.thinking_config.thinking_level', "${String(plan.thinkingLevel)}"`);
}

const SCHEMA_FIELDS = names(`type format title description nullable enum maxItems minItems properties required minProperties maxProperties
      minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum`);
const SCHEMA_TYPES = names('STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL');

/** `responseSchema` supports a subset of OpenAPI: no maps, no references. */
function schemaError(schema: unknown, path: string): string | null {
  if (!isObject(schema)) return `Invalid value at '${path}'`;
  for (const name of Object.keys(schema)) {
    if (!SCHEMA_FIELDS.includes(camelCase(name)))
      return `Invalid JSON payload received. Unknown name "${name}" at '${path}': Cannot find field.`;
  }
  if (schema.type !== undefined && !SCHEMA_TYPES.includes(String(schema.type).toUpperCase()))
    return `Invalid value at '${path}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${String(schema.type)}"`;
  const type = String(schema.type ?? '').toUpperCase();
  if (type === 'ARRAY' && schema.items === undefined) return `* GenerateContentRequest.${path}.items: missing field.`;
  if (type === 'OBJECT' && Object.keys((schema.properties ?? {}) as object).length === 0)
    return `* GenerateContentRequest.${path}.properties: should be non-empty for OBJECT type`;
  for (const [name, inner] of Object.entries((schema.properties ?? {}) as object)) {
    const fault = schemaError(inner, `${path}.properties['${name}']`);
    if (fault) return fault;
  }
  return schema.items === undefined ? null : schemaError(schema.items, `${path}.items`);
}
