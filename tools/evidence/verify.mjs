// Verifies an evidence bundle without network, database or packages: node tools/evidence/verify.mjs BUNDLE.json
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** JSON with the keys of every object in order, as the bundle was hashed. */
function sortedJson(value) {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${sortedJson(held)}`).join(',')}}`;
}

/** What is wrong with the bundle; empty for one that is complete and unchanged. */
export function faultsOf(bundle) {
  if (bundle?.format !== 'autoposter-evidence-1') return ['This is no evidence bundle of a known format.'];
  const { bundleHash, ...rest } = bundle;
  const faults = sha256(sortedJson(rest)) === bundleHash ? [] : ['The bundle was changed after it was made.'];
  let previous = '';
  for (const [index, { seq, kind, recordedAt, body, previousHash, hash }] of bundle.records.entries()) {
    const lines = [previous, bundle.item.id, String(seq), kind, recordedAt, body];
    if (seq !== index + 1) faults.push(`Record ${index + 1} is missing; the next one has the number ${seq}.`);
    if (previousHash !== previous) faults.push(`Record ${seq} does not follow the record before it.`);
    if (sha256(lines.join('\n')) !== hash) faults.push(`Record ${seq} (${kind}) does not match its hash.`);
    previous = hash;
  }
  if (bundle.records.length === 0) faults.push('The bundle has no provenance records.');
  for (const { name, sha256: expected, base64 } of bundle.thumbnails) {
    if (sha256(Buffer.from(base64, 'base64')) !== expected) faults.push(`The thumbnail ${name} does not match its hash.`);
  }
  return faults;
}

const [, script, file] = process.argv;
if (script?.endsWith('verify.mjs')) {
  if (file === undefined) {
    console.error('Usage: node tools/evidence/verify.mjs BUNDLE.json');
    process.exit(2);
  }
  const bundle = JSON.parse(readFileSync(file, 'utf8'));
  // the answer of the API, or its data alone
  const faults = faultsOf(bundle.data ?? bundle);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  const { item, records, thumbnails } = bundle.data ?? bundle;
  console.log(`Verified: ${records.length} records and ${thumbnails.length} thumbnails of "${item.title}" (${item.originalUrl}).`);
}
