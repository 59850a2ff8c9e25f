import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContentCredentials } from './content-credentials';

/** Self-signed, O=Example Cameras, CN=Signer. */
const CERTIFICATE = Buffer.from(
  'MIIBrjCCAVOgAwIBAgIUA5QRUmQ+N476fhqMJOPHYGXdqi4wCgYIKoZIzj0EAwIwKzEYMBYGA1UECgwPRXhhbXBsZSBDYW1lcmFzMQ8wDQYDVQQDDAZTaWduZXIwIBcNMjYxMTIzMTU1ODAzWhgPMjEyNjEwMzAxNTU4MDNaMCsxGDAWBgNVBAoMD0V4YW1wbGUgQ2FtZXJhczEPMA0GA1UEAwwGU2lnbmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFnxdABlsD2LlFRFbSZ7STmILV7eUyrfoen63Ppxj0VTGMpi1/fRC49omlCK8SPDKj+mQBo+Qu5pvqGmmP5ITgaNTMFEwHQYDVR0OBBYEFJuK2nOnho3Ik0ajqnpK4fEllp97MB8GA1UdIwQYMBaAFJuK2nOnho3Ik0ajqnpK4fEllp97MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAI/n1twMsxqe9GmA4w9usvj4w2xCjhHaMuw+UbynkGI8AiEAvjvqOeTGkluIKVCQSHgzzaqZtby5ick/Ch6h2UKHpL0=',
  'base64',
);

const uint32 = (value: number): Buffer => {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(value);
  return data;
};
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};
/** A thumbnail that holds the first bytes of a certificate, and the signature box with the certificate. */
const STORE = box('jumb', Buffer.from('3082003030', 'hex'), Buffer.alloc(70_000, 7), CERTIFICATE);

/** The box in segments of at most 60,000 bytes, each with its head. */
function jpeg(store: Buffer | null): Buffer {
  const head = store?.subarray(0, 8) ?? Buffer.alloc(0);
  const segments: Buffer[] = [];
  for (let from = 8, number = 1; store !== null && from < store.length; from += 60_000, number += 1) {
    const body = Buffer.concat([Buffer.from('JP\0\x01', 'latin1'), uint32(number), head, store.subarray(from, from + 60_000)]);
    segments.push(Buffer.concat([Buffer.from([0xff, 0xeb, (body.length + 2) >> 8, (body.length + 2) & 0xff]), body]));
  }
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 2]), Buffer.alloc(40)]);
}
const png = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.map((one) => Buffer.concat([uint32(one.length - 8), one.subarray(4), uint32(0)])),
  ]);
const webp = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.from(type, 'latin1'), length, data]);
};
const UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');

describe('readContentCredentials', () => {
  const dir = mkdtempSync(join(tmpdir(), 'credentials-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const read = (container: string, content: Buffer) => {
    const path = join(dir, container);
    writeFileSync(path, content);
    return readContentCredentials({ path, container, bytes: content.length, kind: 'image', demuxer: null });
  };

  it.each([
    ['jpeg', jpeg(STORE)],
    ['png', png(box('IHDR', Buffer.alloc(13)), box('caBX', STORE))],
    ['webp', webp('C2PA', STORE)],
    ['mp4', Buffer.concat([box('ftyp', Buffer.alloc(8)), box('uuid', UUID, STORE), box('mdat')])],
  ])('names the signer of a manifest in %s, unverified', async (container, content) => {
    const found = await read(container, content);
    expect(found).toMatchObject({ issuer: 'Example Cameras', verified: false });
    expect(found?.bytes).toBe(STORE.length);
  });

  it.each([
    ['jpeg', jpeg(null)],
    ['png', png(box('IHDR', Buffer.alloc(13)))],
    ['webp', webp('VP8 ', Buffer.alloc(8))],
    ['mp4', Buffer.concat([box('ftyp', Buffer.alloc(8)), box('uuid', Buffer.alloc(16), STORE)])],
    ['webm', STORE],
  ])('finds none in %s without a manifest', async (container, content) => {
    expect(await read(container, content)).toBeNull();
  });

  it('reads the signer of the active manifest, which is the last, and not of what the work was made from', async () => {
    const signed = box('jumb', CERTIFICATE);
    const issuer = async (...manifests: Buffer[]) => (await read('webp', webp('C2PA', box('jumb', box('jumd'), ...manifests))))?.issuer;
    expect([await issuer(box('jumb', Buffer.alloc(9)), signed), await issuer(signed, box('jumb', Buffer.alloc(9)))]).toEqual([
      'Example Cameras',
      null,
    ]);
  });

  it('says that a manifest is present whose certificate cannot be read', async () => {
    expect(await read('webp', webp('C2PA', Buffer.from('308200ff30', 'hex')))).toEqual({ issuer: null, bytes: 5, verified: false });
  });
});
