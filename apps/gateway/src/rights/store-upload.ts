import { PipelineError } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { BadRequestException, PayloadTooLargeException, UnsupportedMediaTypeException } from '@nestjs/common';

interface FileType<Kind extends string = 'video' | 'image' | 'document'> {
  mediaType: Kind;
  contentType: string;
  extension: string;
}

/** What an upload is for, with the types that it may have. */
const ACCEPTED = {
  work: {
    types: ['video', 'image'],
    but: [],
    named: 'a video (MP4, MOV, WebM, MKV), a picture (JPEG, PNG, WebP, GIF, AVIF, HEIC) or a sound (MP3, M4A, AAC, WAV, FLAC, Ogg)',
  },
  // a proof is read in the browser, and most browsers show no HEIC
  proof: {
    types: ['image', 'document'],
    but: ['heic'],
    named: 'a picture (JPEG, PNG, WebP, GIF, AVIF), a PDF, a mail (EML) or plain text (UTF-8)',
  },
} as const;
type Purpose = keyof typeof ACCEPTED;

/** Leading bytes that determine the type of a file; many, because a mail may begin with a header per server that relayed it. */
const HEAD_BYTES = 4096;

/** Stores an uploaded file as it arrives, as what its bytes say that it is. */
export async function storeUpload<P extends Purpose>(
  objects: ObjectStore,
  body: AsyncIterable<Uint8Array>,
  { as, maxBytes }: { as: P; maxBytes: number },
): Promise<FileType<(typeof ACCEPTED)[P]['types'][number]> & { key: string; bytes: number; sha256: string }> {
  const { head, whole } = await headOf(body);
  if (head.length === 0) throw new BadRequestException('The file is empty.');
  const { types, but, named } = ACCEPTED[as];
  const refused = new UnsupportedMediaTypeException(`Please choose ${named}.`);
  const type = typeOf(head);
  if (type === null || !isOneOf(type, types) || (but as readonly string[]).includes(type.extension)) throw refused;
  try {
    const content = type.extension === 'txt' || type.extension === 'eml' ? textOnly(whole, type.extension, refused) : whole;
    const { key, bytes, sha256 } = await objects.put('originals', content, type.contentType, type.extension, maxBytes);
    return { ...type, key, bytes, sha256 };
  } catch (error) {
    if (error instanceof PipelineError && error.failure.kind === 'too_large')
      throw new PayloadTooLargeException(`The file must have at most ${maxBytes / 1024 / 1024} MB.`);
    throw error;
  }
}

const isOneOf = <Kind extends string>(type: FileType<string>, kinds: readonly Kind[]): type is FileType<Kind> =>
  (kinds as readonly string[]).includes(type.mediaType);

/** The first bytes of a stream, and the stream with them. */
async function headOf(body: AsyncIterable<Uint8Array>): Promise<{ head: Buffer; whole: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    read.push(next.value);
    length += next.value.length;
  }
  async function* joined(): AsyncGenerator<Uint8Array> {
    yield* read;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { head: Buffer.concat(read).subarray(0, HEAD_BYTES), whole: joined() };
}

const image = (contentType: string, extension: string): FileType => ({ mediaType: 'image', contentType, extension });
const video = (contentType: string, extension: string): FileType => ({ mediaType: 'video', contentType, extension });
/** Without pictures; browsers play it as a video. */
const sound = (contentType: string, extension: string): FileType => ({ mediaType: 'video', contentType, extension });
const document = (contentType: string, extension: string): FileType => ({ mediaType: 'document', contentType, extension });

/** By the signatures of the formats, else by the form of a text; `null` for any other file. */
function typeOf(head: Buffer): FileType | null {
  const text = (start: number, end: number): string => head.toString('latin1', start, end);
  if (text(4, 8) === 'ftyp') {
    const brand = text(8, 12);
    if (brand === 'avif' || brand === 'avis') return image('image/avif', 'avif');
    // any HEIF picture; its codec is one of the other brands
    if (/^mif[12]$/u.test(brand) && text(16, 64).includes('avif')) return image('image/avif', 'avif');
    if (/^(?:hei[cxms]|mif[12])$/u.test(brand)) return image('image/heic', 'heic');
    // sequences, and kinds of HEIF that are not decoded
    if (/^(?:hei|hev|mif|msf)/u.test(brand)) return null;
    if (/^M4[ABP] $/u.test(brand)) return sound('audio/mp4', 'm4a');
    return brand === 'qt  ' ? video('video/quicktime', 'mov') : video('video/mp4', 'mp4');
  }
  if (head.readUIntBE(0, Math.min(head.length, 4)) === 0x1a45dfa3)
    return head.includes('webm') ? video('video/webm', 'webm') : video('video/x-matroska', 'mkv');
  if (text(0, 3) === '\xff\xd8\xff') return image('image/jpeg', 'jpg');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return image('image/png', 'png');
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return image('image/webp', 'webp');
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return sound('audio/wav', 'wav');
  if (text(0, 4) === 'fLaC') return sound('audio/flac', 'flac');
  if (text(0, 4) === 'OggS') return sound('audio/ogg', 'ogg');
  if (/^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/u.test(text(0, 3))) return sound('audio/mpeg', 'mp3');
  if (/^\xff[\xf0\xf1\xf8\xf9]/u.test(text(0, 2))) return sound('audio/aac', 'aac');
  if (/^GIF8[79]a$/u.test(text(0, 6))) return image('image/gif', 'gif');
  if (text(0, 5) === '%PDF-') return document('application/pdf', 'pdf');
  const isMail = beginsWithMailHeaders(text(0, HEAD_BYTES));
  return isMail ? document('message/rfc822', 'eml') : document('text/plain', 'txt');
}

/** Fields that a mail has and other text with lines `Name: value` rarely does (RFC 5322, section 3.6). */
const MAIL_FIELD = /^(?:from|date|received|message-id|return-path|delivered-to|mime-version)$/iu;

/** Whether a text begins with the header fields of a mail. The last line of the head may be cut, so that it does not count. */
function beginsWithMailHeaders(head: string): boolean {
  const lines = head.split('\n').slice(0, -1);
  const end = lines.findIndex((line) => line.trim() === '');
  const fields = (end === -1 ? lines : lines.slice(0, end)).filter((line) => !/^[ \t]/u.test(line));
  const names = fields.map((line) => /^([!-9;-~]{1,80}):/u.exec(line)?.[1]);
  return names.every((name) => name !== undefined) && names.some((name) => MAIL_FIELD.test(name ?? ''));
}

const FORBIDDEN = new Set([...Array.from({ length: 32 }, (_, code) => code), 127].filter((code) => ![9, 10, 12, 13, 27].includes(code)));

/** The chunks of a text. Throws `refused` at a control character and, in plain text, at invalid UTF-8; a mail may use any character set. */
async function* textOnly(
  chunks: AsyncIterable<Uint8Array>,
  extension: 'txt' | 'eml',
  refused: UnsupportedMediaTypeException,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: extension === 'txt' });
  const decode = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw refused;
    }
  };
  for await (const chunk of chunks) {
    if (chunk.some((byte) => FORBIDDEN.has(byte))) throw refused;
    decode(chunk);
    yield chunk;
  }
  decode();
}
