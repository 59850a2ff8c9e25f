// Verifies an evidence bundle without network, database or packages: node tools/evidence/verify.mjs BUNDLE.json KEY_ID
// The id of the key comes from GET /api/rights/evidence-keys or from a person, never from the bundle: anyone can sign with a key of their own.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Bundles of format 2 have neither frames nor content credentials; those before 4 may differ from the source record and lack frames. */
const FORMATS = { 'autoposter-evidence-2': 2, 'autoposter-evidence-3': 3, 'autoposter-evidence-4': 4 };

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** RFC 8785: no spaces, the keys of every object in the order of their UTF-16 code units. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
}

function signatureFaults({ signedBy, bundleHash, signature, ...content }, keyIds) {
  const bytes = Buffer.from(canonicalJson({ ...content, signedBy }));
  const faults = sha256(bytes) === bundleHash ? [] : ['The bundle was changed after it was made.'];
  const der = Buffer.from(signedBy.publicKey, 'base64');
  if (sha256(der) !== signedBy.keyId) faults.push('The public key of the bundle does not have the id that the bundle states.');
  if (!keyIds.includes(sha256(der))) faults.push(`The bundle is signed with a foreign key, ${sha256(der)}.`);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const bytesSigned = Buffer.from(signature, 'base64');
  const isExact = bytesSigned.toString('base64') === signature;
  const isEd25519 = signedBy.algorithm === 'Ed25519' && key.asymmetricKeyType === 'ed25519';
  if (!isExact || !isEd25519 || !verify(null, bytes, key, bytesSigned)) faults.push('The signature does not match the bundle.');
  return faults;
}

function recordFaults({ item, records }) {
  const faults = records.length === 0 ? ['The bundle has no provenance records.'] : [];
  let previous = '';
  for (const [index, { seq, kind, recordedAt, body, previousHash, hash }] of records.entries()) {
    const lines = [previous, item.id, String(seq), kind, recordedAt, body];
    if (seq !== index + 1) faults.push(`Record ${index + 1} is missing; the next one has the number ${seq}.`);
    if (previousHash !== previous) faults.push(`Record ${seq} does not follow the record before it.`);
    if (sha256(lines.join('\n')) !== hash) faults.push(`Record ${seq} (${kind}) does not match its hash.`);
    previous = hash;
  }
  return faults;
}

/** A thumbnail is one of the files that the bundle lists, with the bytes that were stored. */
function thumbnailFaults({ files, thumbnails }) {
  return thumbnails
    .filter(
      ({ sha256: stated, base64 }) => sha256(Buffer.from(base64, 'base64')) !== stated || !files.some((file) => file.sha256 === stated),
    )
    .map(({ name }) => `The thumbnail ${name} does not match its hash.`);
}

/** Fields of the item, with those of the source record. */
const SOURCE_FIELDS = {
  ...{ platform: 'platform', sourceId: 'sourceId', originalUrl: 'permalink' },
  ...{ title: 'title', author: 'author', subreddit: 'subreddit' },
};

/** The item is described as its newest source record describes it; an item that was never downloaded has none. */
function itemFaults({ item, records }) {
  const source = bodiesOf(records, 'source').at(-1) ?? {};
  return Object.entries(SOURCE_FIELDS)
    .filter(([field, recorded]) => source[recorded] !== undefined && source[recorded] !== item[field])
    .map(([field]) => `The ${field} of the item is not that of the source record.`);
}

/** Each file is in a record. Rights records name covers since version 2; a chain without source and rights records is older than both. */
function fileFaults({ files, records }) {
  const rights = bodiesOf(records, 'rights');
  const downloads = bodiesOf(records, 'source');
  if (rights.length + downloads.length === 0) return [];
  const sources = downloads.flatMap((source) => source.files ?? []);
  const covers = [...rights.flatMap((record) => record.covers ?? []), ...bodiesOf(records, 'cover').map((cover) => cover.sha256)];
  const recorded = {
    __proto__: null,
    original: [...sources.map((file) => file.sha256), ...rights.flatMap((record) => record.originals ?? [])],
    processed: rights.flatMap((record) => record.processed ?? []),
    cover: covers,
    uploaded_cover: covers,
  };
  const namesCovers = rights.length === 0 || rights.at(-1).version >= 2;
  return files
    .filter(({ role, sha256: stated }) => (recorded[role] !== covers || namesCovers) && !recorded[role]?.includes(stated))
    .map(({ role, position }) => `The ${role} file ${position + 1} is in no record.`);
}

const frameName = ({ side, other }) => `The frame of ${side === 'ours' ? 'the post' : 'the work'} "${other.title ?? other.id}"`;
const recordedFrames = (records) => records.flatMap(({ body }) => JSON.parse(body).frames ?? []);
const isSameFrame = (one, two) =>
  ['file', 'side', 'sha256'].every((field) => one[field] === two[field]) &&
  ['kind', 'id'].every((field) => one.other[field] === two.other[field]);

/** A frame has the bytes whose hash a record names for the same side of the same match. */
function frameFaults({ frames, records }) {
  const recorded = recordedFrames(records);
  return frames.flatMap((frame) => {
    if (sha256(Buffer.from(frame.base64, 'base64')) !== frame.sha256) return [`${frameName(frame)} does not match its hash.`];
    const isRecorded = recorded.some((one) => isSameFrame(one, frame) && one.atSeconds === frame.atSeconds);
    return isRecorded ? [] : [`${frameName(frame)} is in no record.`];
  });
}

/** The bundle has the recorded frames. Only a post that was removed at its source loses its own, in the bundles of both sides of a match. */
function missingFrameFaults({ frames, deletedFrames, records }) {
  const isRemoved = records.some(({ kind }) => kind === 'source_removed');
  const isDeletable = ({ side, other }) => (side === 'ours' ? isRemoved : other.kind === 'item');
  const kept = [...frames, ...deletedFrames.filter(isDeletable)];
  const missing = recordedFrames(records).filter((one) => !kept.some((frame) => isSameFrame(one, frame)));
  return missing.map((frame) => `${frameName(frame)} is in a record, but not in the bundle.`);
}

/** The content credentials (C2PA) are those of the newest rights record. */
function credentialFaults({ contentCredentials, records }) {
  const recorded = bodiesOf(records, 'rights').at(-1)?.contentCredentials ?? [];
  return canonicalJson(recorded) === canonicalJson(contentCredentials) ? [] : ['The content credentials are not those of the records.'];
}

const bodiesOf = (records, kind) => records.filter((record) => record.kind === kind).map(({ body }) => JSON.parse(body));

/** What is wrong with the text of a bundle, signed by none but the keys with these ids; empty if it is complete and unchanged. */
export function faultsOf(text, keyIds) {
  try {
    const answer = JSON.parse(text);
    const bundle = bundleOf(answer);
    if (bundle.format === 'autoposter-evidence-1') return ['This bundle is of the former format, which has no signature. Export it again.'];
    const format = FORMATS[bundle.format];
    if (format === undefined) return ['This is no evidence bundle of a known format.'];
    // repeated keys and other text that JSON.parse drops would be shown by other programs
    const isExact = [0, 2].some((indent) => JSON.stringify(answer, null, indent) === text.trimEnd());
    const faults = isExact ? [] : ['The text of the file is not as it was exported.'];
    return [
      ...faults,
      ...signatureFaults(bundle, keyIds),
      ...recordFaults(bundle),
      ...thumbnailFaults(bundle),
      ...(format >= 3 ? [...frameFaults(bundle), ...credentialFaults(bundle)] : []),
      ...(format >= 4 ? [...itemFaults(bundle), ...fileFaults(bundle), ...missingFrameFaults(bundle)] : []),
    ];
  } catch (error) {
    return [`The bundle cannot be read: ${error.message}`];
  }
}

/** A file has the bundle itself, an answer of the API has it as its data. */
const bundleOf = (answer) => (answer.success === true && Object.keys(answer).join() === 'success,data' ? answer.data : answer);

const [, script, file, ...keyIds] = process.argv;
if (script?.endsWith('verify.mjs')) {
  if (file === undefined || keyIds.length === 0) {
    console.error('Usage: node tools/evidence/verify.mjs BUNDLE.json KEY_ID [FORMER_KEY_ID ...]');
    process.exit(2);
  }
  const text = readFileSync(file, 'utf8');
  const faults = faultsOf(text, keyIds);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  const { item, records, thumbnails, frames = [], deletedFrames = [], contentCredentials = [] } = bundleOf(JSON.parse(text));
  const pictures = `${thumbnails.length} thumbnails and ${frames.length} matching frames`;
  console.log(`Verified: ${records.length} records, ${pictures} of "${item.title}" (${item.originalUrl}).`);
  if (deletedFrames.length > 0)
    console.log(`${deletedFrames.length} recorded frames were deleted with posts that were removed at their source.`);
  for (const found of contentCredentials.filter((one) => one !== null))
    console.log(`Its file states C2PA content credentials of ${found.issuer ?? 'an unnamed issuer'}; their signature was not verified.`);
}
