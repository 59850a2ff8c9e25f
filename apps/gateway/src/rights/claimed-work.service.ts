import { type ClaimedWork, REGISTER_STAGE, WORK_BYTES } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { OBJECTS } from '../bootstrap/systems';

interface FileType {
  mediaType: 'video' | 'image';
  contentType: string;
  extension: string;
}

/** Bytes from which the type of a file is told; the document type of a Matroska file is within its first 64. */
const HEAD_BYTES = 64;

@Injectable()
export class ClaimedWorkService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  /** Stores the file of a claimed work as it arrives and requests its fingerprints. The file is decoded by a worker alone. */
  async receive(id: string, body: AsyncIterable<Uint8Array>, actor: string): Promise<void> {
    const listed = await this.database.read.rights.findClaim(id);
    if (listed === null) throw new NotFoundException('There is no such claim.');
    if (listed.claim.status === 'withdrawn') throw new ConflictException('This claim was already withdrawn.');
    const { key, bytes, sha256, mediaType } = await storeUpload(this.objects, body, { maxBytes: WORK_BYTES });
    const work: ClaimedWork = { state: 'stored', bytes, sha256, mediaType, objectKey: key, message: null };
    await this.database.unitOfWork(async (uow) => {
      await uow.claims.setWork(id, work);
      const request = { stage: REGISTER_STAGE, subjectId: id, itemId: null, key: id, forPerson: true, actor };
      if (!(await requestStage(uow, request)).accepted)
        throw new ConflictException('The previous file of this claim is still being fingerprinted.');
      await uow.audit.record({ actor, action: 'rights.upload', subject: id, detail: { bytes, sha256, mediaType } });
    });
  }
}

/** Stores an uploaded file as it arrives, as what its bytes say that it is. */
export async function storeUpload(
  objects: ObjectStore,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, picturesOnly = false }: { maxBytes: number; picturesOnly?: boolean },
): Promise<FileType & { key: string; bytes: number; sha256: string }> {
  const { head, whole } = await headOf(body);
  if (head.length === 0) throw new BadRequestException('The file is empty.');
  const type = typeOf(head);
  const pictures = 'a picture (JPEG, PNG, WebP, GIF, AVIF)';
  if (type === null || (picturesOnly && type.mediaType !== 'image'))
    throw new UnsupportedMediaTypeException(`Please choose ${picturesOnly ? '' : 'a video (MP4, MOV, WebM, MKV) or '}${pictures}.`);
  try {
    const { key, bytes, sha256 } = await objects.put('originals', whole, type.contentType, type.extension, maxBytes);
    return { ...type, key, bytes, sha256 };
  } catch (error) {
    if (error instanceof PipelineError && error.failure.kind === 'too_large')
      throw new PayloadTooLargeException(`The file must have at most ${maxBytes / 1024 / 1024} MB.`);
    throw error;
  }
}

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

/** By the signatures of the formats; `null` for any other file. */
function typeOf(head: Buffer): FileType | null {
  const text = (start: number, end: number): string => head.toString('latin1', start, end);
  if (text(4, 8) === 'ftyp') {
    const brand = text(8, 12);
    if (brand === 'avif' || brand === 'avis') return image('image/avif', 'avif');
    // HEIC is a sibling of AVIF that is not stored
    if (/^(?:hei|hev|mif|msf)/u.test(brand)) return null;
    return brand === 'qt  ' ? video('video/quicktime', 'mov') : video('video/mp4', 'mp4');
  }
  if (head.readUIntBE(0, Math.min(head.length, 4)) === 0x1a45dfa3)
    return head.includes('webm') ? video('video/webm', 'webm') : video('video/x-matroska', 'mkv');
  if (text(0, 3) === '\xff\xd8\xff') return image('image/jpeg', 'jpg');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return image('image/png', 'png');
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return image('image/webp', 'webp');
  return /^GIF8[79]a$/u.test(text(0, 6)) ? image('image/gif', 'gif') : null;
}
