/** The names that each message of a request knows, in camelCase; the second map says which message stands in a field. */
interface Message {
  fields: readonly string[];
  inner?: Readonly<Record<string, string>>;
}

const MESSAGES: Readonly<Record<string, Message>> = {
  request: {
    fields: [
      'model',
      'contents',
      'systemInstruction',
      'generationConfig',
      'safetySettings',
      'tools',
      'toolConfig',
      'cachedContent',
      'serviceTier',
      'store',
    ],
    inner: { contents: 'content', systemInstruction: 'content', generationConfig: 'config', safetySettings: 'safety' },
  },
  content: { fields: ['role', 'parts'], inner: { parts: 'part' } },
  part: {
    fields: [
      'text',
      'inlineData',
      'fileData',
      'videoMetadata',
      'thought',
      'thoughtSignature',
      'functionCall',
      'functionResponse',
      'executableCode',
      'codeExecutionResult',
      'mediaResolution',
      'partMetadata',
    ],
    inner: { inlineData: 'blob', fileData: 'file', videoMetadata: 'video' },
  },
  blob: { fields: ['mimeType', 'data', 'displayName'] },
  file: { fields: ['mimeType', 'fileUri', 'displayName'] },
  video: { fields: ['fps', 'startOffset', 'endOffset'] },
  safety: { fields: ['category', 'threshold', 'method'] },
  config: {
    fields: [
      ...[
        'temperature',
        'topP',
        'topK',
        'maxOutputTokens',
        'candidateCount',
        'stopSequences',
        'responseMimeType',
        'responseSchema',
        'responseJsonSchema',
        'seed',
      ],
      ...[
        'thinkingConfig',
        'mediaResolution',
        'presencePenalty',
        'frequencyPenalty',
        'responseLogprobs',
        'logprobs',
        'responseModalities',
        'speechConfig',
        'audioTimestamp',
        'enableEnhancedCivicAnswers',
        'imageConfig',
      ],
    ],
    inner: { thinkingConfig: 'thinking' },
  },
  thinking: { fields: ['thinkingBudget', 'thinkingLevel', 'includeThoughts'] },
};

export type JsonObject = Record<string, unknown>;

/** Thrown away on purpose as soon as the first unknown name is found. */
export class UnknownName extends Error {}

/** Rewrites snake_case into camelCase and refuses names that the API does not have. Schemas and functions are taken as they are. */
export function canonical(value: unknown, message = 'request', path = ''): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => canonical(entry, message, `${path}[${index}]`));
  if (!isObject(value)) return value;
  const shape = MESSAGES[message];
  const result: JsonObject = {};
  for (const [given, entry] of Object.entries(value)) {
    const name = given.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
    if (!shape?.fields.includes(name)) {
      const place = path === '' ? '' : ` at '${path}'`;
      throw new UnknownName(`Invalid JSON payload received. Unknown name "${given}"${place}: Cannot find field.`);
    }
    const inner = shape.inner?.[name];
    result[name] = inner ? canonical(entry, inner, path === '' ? name : `${path}.${name}`) : entry;
  }
  return result;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
