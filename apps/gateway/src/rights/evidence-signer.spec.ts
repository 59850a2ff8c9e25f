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

function chained(bodies: string[], kind = 'source'): Unsigned['records'] {
  let previousHash = '';
  return bodies.map((body, index) => {
    const record = { seq: index + 1, kind, recordedAt: '2026-11-26T10:00:00.000Z', body, previousHash };
    const hash = sha256([previousHash, SAMPLE.item.id, record.seq, record.kind, record.recordedAt, body].join('\n'));
    previousHash = hash;
    return { ...record, hash };
  });
}

const UNSIGNED: Unsigned = {
  ...SAMPLE,
  item: { ...SAMPLE.item, title: 'Föhn "quoted"\nline 😀' },
  records: chained(['{"permalink":"/r/a"}', '{"decision":"pass"}', '{"mediaId":"1789"}']),
  files: [{ role: 'cover', position: 0, contentType: 'image/jpeg', bytes: picture.length, sha256: sha256(picture) }],
  frames: [],
  contentCredentials: [],
  thumbnails: [{ name: 'cover-1', contentType: 'image/jpeg', sha256: sha256(picture), base64: picture.toString('base64') }],
};

const other = { kind: 'claim' as const, id: SAMPLE.item.id, title: 'Valley' };
const frame = { file: 0, side: 'theirs' as const, atSeconds: 2.5, sha256: sha256(picture) };
const credentials = [{ issuer: 'A camera', bytes: 9, verified: false as const }, null];
const RIGHTS: Unsigned = {
  ...UNSIGNED,
  records: chained(
    [{}, { frames: [{ other: { kind: other.kind, id: other.id }, ...frame }], contentCredentials: credentials }].map((body) =>
      JSON.stringify(body),
    ),
    'rights',
  ),
  frames: [{ other, ...frame, contentType: 'image/jpeg', base64: picture.toString('base64') }],
  contentCredentials: credentials,
};

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
      'Record 2 (source) does not match its hash.',
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

  it('accepts frames and content credentials that a rights record names, and bundles of the format before', () => {
    const { frames: _frames, contentCredentials: _credentials, ...before } = UNSIGNED;
    const former = signer.sign({ ...before, format: 'autoposter-evidence-2' } as unknown as Unsigned);
    expect([faultsOf(signer.sign(RIGHTS)), faultsOf(former)]).toEqual([[], []]);
  });

  it.each<[string, Partial<Unsigned>, string]>([
    [
      'other bytes of a frame',
      { frames: [{ ...RIGHTS.frames[0]!, base64: 'AAAA' }] },
      'The frame of the work "Valley" does not match its hash.',
    ],
    ['a frame of no record', { frames: [{ ...RIGHTS.frames[0]!, side: 'ours' }] }, 'The frame of the post "Valley" is in no record.'],
    ['a frame of another second', { frames: [{ ...RIGHTS.frames[0]!, atSeconds: 3 }] }, 'The frame of the work "Valley" is in no record.'],
    ['invented credentials', { contentCredentials: [null, null] }, 'The content credentials are not those of the records.'],
  ])('finds %s, even where the signature fits', (_change, changed, fault) => {
    expect(faultsOf(signer.sign({ ...RIGHTS, ...changed }))).toEqual([fault]);
  });

  it('rejects a bundle that was changed and signed with another key', () => {
    const forged = stranger.sign({ ...UNSIGNED, records: chained(['{"permalink":"/r/b"}']) });
    expect(faultsOf(forged)).toEqual([`The bundle is signed with a foreign key, ${stranger.key.keyId}.`]);
  });

  it('rejects changed content with matching hashes, because the signature does not match', () => {
    const records = chained(['{"permalink":"/r/b"}']);
    const { bundleHash } = signer.sign({ ...UNSIGNED, records });
    expect(faultsOf({ ...bundle, records, bundleHash })).toEqual(['The signature does not match the bundle.']);
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
