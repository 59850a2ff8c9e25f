import { type Subject, subjectOf, textTokens } from '../language/subject';
import { reject } from '../server/http';
import { MEDIA_TYPES, type FileStore } from './file-store';
import { foreignFile, geminiError, invalidArgument } from './gemini-errors';
import { isObject, type JsonObject } from './generation-request';

/** Content of a request with its token count. */
export interface Prompt {
  subject: Subject;
  tokens: number;
  details: { modality: string; tokenCount: number }[];
}

const TOKENS = { image: 258, videoSecond: 258, soundSecond: 32, lowResolutionFrame: 66 };
const INPUT_LIMIT = 1_048_576;
const ROLES: readonly unknown[] = ['user', 'model', 'function'];

/** Validates contents and media as the API does. */
export async function readPrompt(files: FileStore, body: JsonObject): Promise<Prompt> {
  const contents = Array.isArray(body.contents) ? body.contents : isObject(body.contents) ? [body.contents] : [];
  if (contents.length === 0) reject(invalidArgument('* GenerateContentRequest.contents: contents is not specified', 'contents'));
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const low = config.mediaResolution === 'MEDIA_RESOLUTION_LOW';
  const texts: string[] = [];
  const media: string[] = [];
  const counts = new Map<string, number>();
  const count = (modality: string, tokens: number): void => void counts.set(modality, (counts.get(modality) ?? 0) + Math.round(tokens));
  for (const content of [body.systemInstruction, ...contents].filter(isObject)) {
    if (content !== body.systemInstruction && content.role !== undefined && !ROLES.includes(content.role)) {
      reject(invalidArgument('Please use a valid role: user, model.'));
    }
    const parts = Array.isArray(content.parts) ? content.parts : isObject(content.parts) ? [content.parts] : [];
    if (parts.length === 0)
      reject(invalidArgument('* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.', 'contents[0].parts'));
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
    reject(invalidArgument(`The input token count (${tokens}) exceeds the maximum number of tokens allowed (${INPUT_LIMIT}).`));
  return { subject: subjectOf(texts, media), tokens, details };
}

async function mediaOf(files: FileStore, part: JsonObject): Promise<{ key: string; mimeType: string; seconds: number } | null> {
  if (isObject(part.inlineData)) return inline(files, part.inlineData);
  if (!isObject(part.fileData)) return null;
  const uri = String(part.fileData.fileUri ?? '');
  const id = /\/files\/([^/?]+)$/.exec(uri)?.[1] ?? uri;
  const file = files.find(id);
  if (!file) reject(foreignFile(id));
  const state = files.stateOf(file);
  if (state !== 'ACTIVE') {
    reject(geminiError(400, 'FAILED_PRECONDITION', `The File ${id} is not in an ACTIVE state and usage is not allowed.`));
  }
  return { key: file.sha256, mimeType: file.mimeType, seconds: file.seconds ?? 0 };
}

async function inline(files: FileStore, blob: JsonObject): Promise<{ key: string; mimeType: string; seconds: number }> {
  const mimeType = String(blob.mimeType ?? '');
  const data = String(blob.data ?? '');
  if (!MEDIA_TYPES.includes(mimeType)) reject(invalidArgument(`Unsupported MIME type: ${mimeType}`));
  if (data === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(data)) {
    reject(invalidArgument("Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed"));
  }
  const seconds = await files.durationOf(Buffer.from(data, 'base64'), mimeType);
  if (seconds === null)
    reject(invalidArgument(mimeType.startsWith('image/') ? 'Provided image is not valid.' : 'Request contains an invalid argument.'));
  return { key: data, mimeType, seconds };
}
