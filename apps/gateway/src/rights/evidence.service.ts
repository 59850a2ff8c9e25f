import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Evidence, EvidenceKey } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import { type ContentItem, Database, type MatchedFrame, type MediaFile, type UnitOfWork } from '@autoposter/persistence';
import { ConflictException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { OBJECTS } from '../bootstrap/systems';

/** PKCS #8 of an Ed25519 private key up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

type Unsigned = Omit<Evidence, 'signedBy' | 'bundleHash' | 'signature'>;

/** Signs evidence bundles with Ed25519 (RFC 8032). `tools/evidence/verify.mjs` repeats the canonical bytes and the id of the key. */
export class EvidenceSigner {
  readonly key: EvidenceKey;
  private readonly privateKey: KeyObject;

  /** `seed`: 32 bytes, the private key. */
  constructor(seed: Uint8Array) {
    this.privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(this.privateKey).export({ format: 'der', type: 'spki' });
    this.key = { keyId: createHash('sha256').update(publicKey).digest('hex'), publicKey: publicKey.toString('base64') };
  }

  sign(unsigned: Unsigned): Evidence {
    const bundle = { ...unsigned, signedBy: { algorithm: 'Ed25519' as const, ...this.key } };
    const bytes = Buffer.from(canonicalJson(bundle));
    return {
      ...bundle,
      bundleHash: createHash('sha256').update(bytes).digest('hex'),
      signature: sign(null, bytes, this.privateKey).toString('base64'),
    };
  }
}

/** RFC 8785: no spaces, the keys of every object in the order of their UTF-16 code units. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
}

type RecordedFrame = Omit<MatchedFrame, 'bytes' | 'contentType'>;

/** Fields that a bundle copies from records of sources, rights checks and later claims; records of older programs lack some of them. */
interface CopiedRecord extends Partial<Pick<Evidence['item'], 'platform' | 'sourceId' | 'title' | 'author' | 'subreddit'>> {
  permalink?: string;
  matches?: { id: string; title: string }[];
  frames?: RecordedFrame[];
  contentCredentials?: Evidence['contentCredentials'];
}

/** Larger covers are left out; their hash is among the files. */
const THUMBNAIL_BYTES = 2 * 1024 * 1024;

@Injectable()
export class EvidenceService {
  private readonly signers: readonly EvidenceSigner[];

  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(SETTINGS) { keys }: GatewaySettings,
  ) {
    this.signers = keys.evidence.map((key) => new EvidenceSigner(key));
  }

  /** The one that signs, then former ones. */
  keys(): EvidenceKey[] {
    return this.signers.map(({ key }) => key);
  }

  /** The provenance of an item with its files and thumbnails, hashed and signed as a whole. */
  async ofItem(id: string): Promise<Evidence> {
    const [signer] = this.signers;
    if (signer === undefined) throw new ConflictException('Evidence cannot be signed: please set EVIDENCE_KEY or JWT_SECRET.');
    // one state: a claim that is committed meanwhile adds frames and their record
    const { item, records, bodies, files, kept, deleted, now } = await this.database.unitOfWork(async (uow) => {
      await uow.readSnapshot();
      const found = await uow.items.find(id);
      if (found === null) throw new NotFoundException('There is no such post.');
      const chain = await uow.provenance.ofItem(id);
      const copied = chain.map(({ kind, body }) => ({ kind, ...(JSON.parse(body) as CopiedRecord) }));
      const frames = await uow.frames.ofItem(id);
      const recorded = copied.flatMap((body) => body.frames ?? []);
      return {
        item: found,
        records: chain,
        bodies: copied,
        files: await uow.media.ofItem(id),
        kept: frames,
        deleted: await deletedAmong(
          uow,
          found,
          recorded.filter((frame) => !frames.some((one) => isSameFrame(one, frame))),
        ),
        now: await uow.now(),
      };
    });
    const rights = bodies.filter(({ kind }) => kind === 'rights');
    const titles = new Map(bodies.flatMap(({ matches = [] }) => matches.map((match) => [match.id, match.title])));
    const named = <F extends Pick<MatchedFrame, 'other'>>({ other, ...frame }: F) => ({
      other: { ...other, title: titles.get(other.id) ?? null },
      ...frame,
    });
    const thumbnails = await Promise.all(files.filter(isThumbnail).map((file) => this.thumbnail(file)));
    return signer.sign({
      format: 'autoposter-evidence-4',
      generatedAt: now.toISOString(),
      item: described(item, bodies.filter(({ kind }) => kind === 'source').at(-1)),
      records: records.map(({ recordedAt, ...record }) => ({ ...record, recordedAt: recordedAt.toISOString() })),
      files: files.map(({ role, position, contentType, bytes, sha256 }) => ({ role, position, contentType, bytes, sha256 })),
      thumbnails: thumbnails.flatMap((thumbnail) => thumbnail ?? []),
      frames: kept.map(({ bytes, ...frame }) => ({ ...named(frame), base64: Buffer.from(bytes).toString('base64') })),
      deletedFrames: deleted.map(named),
      contentCredentials: rights.at(-1)?.contentCredentials ?? [],
    });
  }

  /** `null` for a file that is no longer stored: the bundle then has its hash alone. */
  private async thumbnail({ objectKey, contentType, sha256, role, position }: MediaFile): Promise<Evidence['thumbnails'][number] | null> {
    try {
      const { stream } = await this.objects.get(objectKey);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return { name: `${role}-${position + 1}`, contentType, sha256, base64: Buffer.concat(chunks).toString('base64') };
    } catch (error) {
      if (error instanceof PipelineError && error.failure.kind === 'not_found') return null;
      throw error;
    }
  }
}

const isSameFrame = (one: RecordedFrame, two: RecordedFrame): boolean =>
  one.other.kind === two.other.kind &&
  one.other.id === two.other.id &&
  one.file === two.file &&
  one.side === two.side &&
  one.sha256 === two.sha256;

/** Those that were deleted with a post that was removed at its source; whoever verifies the bundle learns that the others are lost. */
async function deletedAmong(uow: UnitOfWork, item: ContentItem, missing: readonly RecordedFrame[]): Promise<RecordedFrame[]> {
  const deleted: RecordedFrame[] = [];
  for (const frame of missing) {
    const { side, other } = frame;
    const owner = side === 'ours' ? item : other.kind === 'item' ? await uow.items.find(other.id) : null;
    if (owner !== null && owner.sourceRemovedAt !== null) deleted.push(frame);
  }
  return deleted;
}

/** The item as its newest source record describes it: its row may have been read again since, without a download. */
function described(item: ContentItem, source: CopiedRecord = {}): Evidence['item'] {
  const { id, state } = item;
  const { platform = item.platform, sourceId = item.sourceId, permalink: originalUrl = item.originalUrl } = source;
  const { title = item.title, author = item.author, subreddit = item.subreddit } = source;
  return { id, platform, sourceId, originalUrl, title, author, subreddit, state };
}

const isThumbnail = ({ role, bytes }: MediaFile): boolean => role === 'cover' && bytes <= THUMBNAIL_BYTES;
