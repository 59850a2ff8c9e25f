import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { evidenceSample } from '@autoposter/contracts';
import { EvidenceService, EvidenceSigner } from './evidence.service';

const VERIFY = pathToFileURL(resolve(__dirname, '../../../../tools/evidence/verify.mjs')).href;
/** One process verifies all texts: those of this spec are too many for a process each. */
const PROGRAM = `import { readFileSync } from 'node:fs';
import { faultsOf } from '${VERIFY}';
const { texts, keyIds } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => faultsOf(text, keyIds))));`;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const signer = new EvidenceSigner(Buffer.alloc(32, 'this installation'));
const stranger = new EvidenceSigner(Buffer.alloc(32, 'a stranger'));
const former = new EvidenceSigner(Buffer.alloc(32, 'a former key'));

function faultsIn(texts: string[], keyIds = [signer.key.keyId, former.key.keyId]): string[][] {
  const input = JSON.stringify({ texts, keyIds });
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { input, encoding: 'utf8' })) as string[][];
}
const faultsOf = (bundle: object): string[] => faultsIn([JSON.stringify(bundle)])[0] ?? [];

const { signedBy: _signedBy, bundleHash: _hash, signature: _signature, ...SAMPLE } = evidenceSample;
type Unsigned = typeof SAMPLE;
const picture = Buffer.from('a small picture');

function chained(...kinds: [kind: string, body: object][]): Unsigned['records'] {
  let previousHash = '';
  return kinds.map(([kind, content], index) => {
    const body = JSON.stringify(content);
    const record = { seq: index + 1, kind, recordedAt: '2026-11-26T10:00:00.000Z', body, previousHash };
    const hash = sha256([previousHash, SAMPLE.item.id, record.seq, record.kind, record.recordedAt, body].join('\n'));
    previousHash = hash;
    return { ...record, hash };
  });
}

const ITEM = { ...SAMPLE.item, title: 'Föhn "quoted"\nline 😀' };
const { originalUrl: permalink, platform, sourceId, title, author, subreddit } = ITEM;
const file = { position: 0, contentType: 'image/jpeg', bytes: picture.length, sha256: sha256(picture) };
const [ORIGINAL, PROCESSED] = ['original', 'processed'].map((role) => ({ ...file, role, sha256: sha256(role) })) as [
  typeof FILE,
  typeof FILE,
];
const FILE = { ...file, role: 'cover' };
const source = (files: { sha256: string }[] = [ORIGINAL]): [string, object] => [
  'source',
  { platform, sourceId, permalink, title, author, subreddit, files },
];
const CHECKED = { version: 2, originals: [ORIGINAL.sha256], processed: [PROCESSED.sha256], covers: [FILE.sha256] };

const UNSIGNED: Unsigned = {
  ...SAMPLE,
  item: ITEM,
  records: chained(source(), ['rights', CHECKED], ['published', { mediaId: '1789' }]),
  files: [FILE, ORIGINAL, PROCESSED],
  frames: [],
  deletedFrames: [],
  contentCredentials: [],
  thumbnails: [{ name: 'cover-1', contentType: 'image/jpeg', sha256: sha256(picture), base64: picture.toString('base64') }],
};

const other = { kind: 'claim' as const, id: SAMPLE.item.id, title: 'Valley' };
const frame = { file: 0, side: 'theirs' as const, atSeconds: 2.5, sha256: sha256(picture) };
const NAMED = { other: { kind: other.kind, id: other.id }, ...frame };
const credentials = [{ issuer: 'A camera', bytes: 9, verified: false as const }, null];
const RIGHTS: Unsigned = {
  ...UNSIGNED,
  records: chained(source(), ['rights', { ...CHECKED, frames: [NAMED], contentCredentials: credentials }]),
  frames: [{ other, ...frame, contentType: 'image/jpeg', base64: picture.toString('base64') }],
  contentCredentials: credentials,
};

/** Differs in the last record only. */
const OTHERS = chained(source(), ['rights', CHECKED], ['published', { mediaId: 'another' }]);
/** Records name frames without a title. */
const MISSING = `The frame of the work "${other.id}" is in a record, but not in the bundle.`;

describe('EvidenceSigner', () => {
  const bundle = signer.sign(UNSIGNED);

  it('derives the public key of RFC 8032, test 1', () => {
    const { key } = new EvidenceSigner(Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'));
    const publicKey = Buffer.from(key.publicKey, 'base64').subarray(-32).toString('hex');
    expect(publicKey).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  });

  it('signs bundles that verify offline, as files and as answers of the API, also with a former key', () => {
    const texts = [
      JSON.stringify(bundle),
      `${JSON.stringify(bundle, null, 2)}\n`,
      JSON.stringify({ success: true, data: bundle }),
      JSON.stringify(former.sign(UNSIGNED)),
    ];
    expect(faultsIn(texts)).toEqual(texts.map(() => []));
  });

  it('makes every changed byte of a file a fault', () => {
    const bytes = Buffer.from(JSON.stringify(bundle));
    const changed = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('utf8');
    });
    const unnoticed = faultsIn(changed).flatMap((faults, at) => (faults.length === 0 ? [at] : []));
    expect(unnoticed).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'a record that was edited',
      { ...bundle, records: bundle.records.with(1, { ...bundle.records[1]!, body: '{}' }) },
      'Record 2 (rights) does not match its hash.',
    ],
    ['a chain without its last record', { ...bundle, records: bundle.records.slice(0, -1) }, 'The signature does not match the bundle.'],
    [
      'a chain without its first record',
      { ...bundle, records: bundle.records.slice(1) },
      'Record 1 is missing; the next one has the number 2.',
    ],
    ['a chain without records', { ...bundle, records: [] }, 'The bundle has no provenance records.'],
    [
      'another thumbnail',
      { ...bundle, thumbnails: [{ ...bundle.thumbnails[0]!, base64: 'AAAA' }] },
      'The thumbnail cover-1 does not match its hash.',
    ],
    ['a changed file list', { ...bundle, files: [] }, 'The thumbnail cover-1 does not match its hash.'],
    ['a changed title', { ...bundle, item: { ...bundle.item, title: 'Other' } }, 'The bundle was changed after it was made.'],
    ['an added field', { ...bundle, note: '' }, 'The bundle was changed after it was made.'],
    ['another time', { ...bundle, generatedAt: '2027-01-01T00:00:00.000Z' }, 'The signature does not match the bundle.'],
    [
      'the signature of another bundle',
      { ...bundle, signature: signer.sign({ ...UNSIGNED, files: [] }).signature },
      'The signature does not match the bundle.',
    ],
    [
      'a key that does not fit its id',
      { ...bundle, signedBy: { ...bundle.signedBy, publicKey: stranger.key.publicKey } },
      'The public key of the bundle does not have the id that the bundle states.',
    ],
    ['no signature', { ...bundle, signature: '' }, 'The signature does not match the bundle.'],
    [
      'the former format',
      { ...bundle, format: 'autoposter-evidence-1' },
      'This bundle is of the former format, which has no signature. Export it again.',
    ],
  ])('finds %s', (_change, changed, fault) => {
    expect(faultsOf(changed)).toContain(fault);
  });

  it('accepts frames and content credentials that a rights record names, and bundles of the formats before', () => {
    const { deletedFrames: _deleted, ...third } = { ...RIGHTS, item: { ...ITEM, title: 'Since edited' } };
    const { frames: _frames, contentCredentials: _credentials, ...second } = third;
    const former = [
      { ...third, format: 'autoposter-evidence-3' },
      { ...second, format: 'autoposter-evidence-2' },
    ].map((unsigned) => signer.sign(unsigned as unknown as Unsigned));
    expect([signer.sign(RIGHTS), ...former].map(faultsOf)).toEqual([[], [], []]);
  });

  it.each<[string, Partial<Unsigned>]>([
    [
      'a cover that the rights record of an older program does not name',
      { records: chained(source(), ['rights', { ...CHECKED, version: 1, covers: [] }]) },
    ],
    [
      'a cover that was uploaded',
      { records: chained(source(), ['rights', { ...CHECKED, covers: [] }], ['cover', { sha256: FILE.sha256 }]) },
    ],
    ['a chain that is older than records of files', { records: chained(['claim', { reasons: [] }]) }],
    ['the file of an earlier download', { records: chained(source(), source([]), ['rights', CHECKED]) }],
    ['a post whose files were deleted', { files: [], thumbnails: [] }],
  ])('accepts %s', (_what, change) => {
    expect(faultsOf(signer.sign({ ...UNSIGNED, ...change }))).toEqual([]);
  });

  const byItem = { ...NAMED, other: { kind: 'item' as const, id: other.id } };
  const removed: [string, object] = ['source_removed', { reason: 'deleted' }];
  it.each<[string, [string, object][], Unsigned['deletedFrames'][number]]>([
    ['of the post itself', [removed], { ...NAMED, side: 'ours', other }],
    ['of another post', [], { ...byItem, other: { ...byItem.other, title: null } }],
  ])('accepts a frame that was deleted with its source: %s', (_whose, records, deleted) => {
    const frames = [deleted].map(({ other: { kind, id }, ...one }) => ({ ...one, other: { kind, id } }));
    const bundle = { ...UNSIGNED, records: chained(source(), ['rights', { ...CHECKED, frames }], ...records), deletedFrames: [deleted] };
    expect(faultsOf(signer.sign(bundle))).toEqual([]);
  });

  it.each<[string, Partial<Unsigned>, string]>([
    [
      'other bytes of a frame',
      { frames: [{ ...RIGHTS.frames[0]!, base64: 'AAAA' }] },
      'The frame of the work "Valley" does not match its hash.',
    ],
    [
      'a frame of no record',
      { frames: [RIGHTS.frames[0]!, { ...RIGHTS.frames[0]!, side: 'ours' }] },
      'The frame of the post "Valley" is in no record.',
    ],
    ['a frame of another second', { frames: [{ ...RIGHTS.frames[0]!, atSeconds: 3 }] }, 'The frame of the work "Valley" is in no record.'],
    ['invented credentials', { contentCredentials: [null, null] }, 'The content credentials are not those of the records.'],
    ['another title', { item: { ...ITEM, title: 'Other' } }, 'The title of the item is not that of the source record.'],
    ['another author', { item: { ...ITEM, author: null } }, 'The author of the item is not that of the source record.'],
    ['another subreddit', { item: { ...ITEM, subreddit: 'aww' } }, 'The subreddit of the item is not that of the source record.'],
    ['another platform', { item: { ...ITEM, platform: 'instagram' } }, 'The platform of the item is not that of the source record.'],
    ['another id at the source', { item: { ...ITEM, sourceId: '1' } }, 'The sourceId of the item is not that of the source record.'],
    ['another address', { item: { ...ITEM, originalUrl: '/r/b' } }, 'The originalUrl of the item is not that of the source record.'],
    ...[ORIGINAL, PROCESSED, FILE, { ...FILE, role: 'uploaded_cover' }].map((one): [string, Partial<Unsigned>, string] => [
      `a file of no record: ${one.role}`,
      { files: [FILE, { ...one, position: 1, sha256: sha256('unknown') }] },
      `The ${one.role} file 2 is in no record.`,
    ]),
    ['a file as one of another role', { files: [FILE, { ...ORIGINAL, role: 'processed' }] }, 'The processed file 1 is in no record.'],
    ['a file of an unknown role', { files: [FILE, { ...ORIGINAL, role: 'toString' }] }, 'The toString file 1 is in no record.'],
    ['no frame', { frames: [] }, MISSING],
    ['a deleted frame of a claimed work, which is never deleted', { frames: [], deletedFrames: [{ ...frame, other }] }, MISSING],
    [
      'a deleted frame of a post that was not removed',
      {
        records: chained(source(), ['rights', { ...CHECKED, frames: [{ ...NAMED, side: 'ours' }], contentCredentials: credentials }]),
        frames: [],
        deletedFrames: [{ ...frame, side: 'ours', other }],
      },
      MISSING.replace('work', 'post'),
    ],
  ])('finds %s, even where the signature fits', (_change, changed, fault) => {
    expect(faultsOf(signer.sign({ ...RIGHTS, ...changed }))).toEqual([fault]);
  });

  it('rejects a bundle that was changed and signed with another key', () => {
    const forged = stranger.sign({ ...UNSIGNED, records: OTHERS });
    expect(faultsOf(forged)).toEqual([`The bundle is signed with a foreign key, ${stranger.key.keyId}.`]);
  });

  it('rejects changed content with matching hashes, because the signature does not match', () => {
    const { bundleHash } = signer.sign({ ...UNSIGNED, records: OTHERS });
    expect(faultsOf({ ...bundle, records: OTHERS, bundleHash })).toEqual(['The signature does not match the bundle.']);
  });

  it('rejects duplicate keys, which programs read differently', () => {
    const text = JSON.stringify(bundle).replace('"title":', '"title":"Shown elsewhere","title":');
    expect(faultsIn([text])).toEqual([['The text of the file is not as it was exported.']]);
  });
});

describe('EvidenceService', () => {
  it('names the missing setting where no key is configured', async () => {
    const service = new EvidenceService(null as never, null as never, { keys: { evidence: [] } } as never);
    expect(service.keys()).toEqual([]);
    await expect(service.ofItem('01890000-0000-7000-8000-000000000001')).rejects.toThrow('please set EVIDENCE_KEY or JWT_SECRET');
  });
});
