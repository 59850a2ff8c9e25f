import { randomBytes } from 'node:crypto';
import { type Claim, claimedWork, claimSchema } from '@autoposter/contracts';
import { describeGateway, GatewayFixture } from '../testing/gateway-fixture';

describeGateway('the file of a claimed work', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => (gateway = await GatewayFixture.start()));
  afterAll(() => gateway?.stop());

  let films = 0;
  const newClaim = async (): Promise<string> =>
    (await gateway.call('post', '/api/rights/claims', { title: `Film ${(films += 1)}`, claimant: 'Its maker', upload: true }).expect(200))
      .body.data.id;
  const upload = (id: string, bytes: Buffer, type = 'application/octet-stream') =>
    gateway.call('put', `/api/rights/claims/${id}/work`).set('content-type', type).send(bytes);
  const MP4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom', 'latin1'), randomBytes(300_000)]);

  it('is stored as it is and goes to a worker, whatever its sender calls it', async () => {
    const id = await newClaim();
    const { body } = await upload(id, MP4, 'text/html').expect(200);
    expect(body.data.work).toMatchObject({ state: 'stored', bytes: MP4.length, mediaType: 'video', message: null });
    const work = (await gateway.database.read.rights.findClaim(id))?.claim.work;
    const { stream } = await gateway.objects.get(work?.objectKey ?? '');
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(MP4)).toBe(true);
    expect(await gateway.database.read.jobs.findOpen('register', id)).toMatchObject({ state: 'requested', forPerson: true });
    expect((await upload(id, MP4)).status).toBe(409);
  });

  it.each([
    ['MP3 with tags', 'ID3\x04', 'mp3'],
    ['MP3', '\xff\xfb\x90\x00', 'mp3'],
    ['AAC', '\xff\xf1\x50\x80', 'aac'],
    ['WAV', 'RIFF\x24\x08\0\0WAVEfmt ', 'wav'],
    ['FLAC', 'fLaC\0\0\0\x22', 'flac'],
    ['Ogg', 'OggS\0\x02', 'ogg'],
    ['M4A', '\0\0\0\x18ftypM4A ', 'm4a'],
  ])('can be a sound in %s', async (_format, head, extension) => {
    const id = await newClaim();
    await upload(id, Buffer.concat([Buffer.from(head, 'latin1'), randomBytes(5000)])).expect(200);
    const work = (await gateway.database.read.rights.findClaim(id))?.claim.work;
    expect([work?.mediaType, work?.objectKey?.split('.').pop()]).toEqual(['video', extension]);
  });

  it('stays in the store while the claim names it', async () => {
    const id = await newClaim();
    await upload(id, MP4).expect(200);
    const key = (await gateway.database.read.rights.findClaim(id))?.claim.work?.objectKey ?? '';
    expect(await gateway.database.unitOfWork((uow) => uow.media.markForDeletion([key]))).toEqual([]);
  });

  it('is not taken while the same file is deleted for another reason', async () => {
    const { media } = gateway.database.read;
    const [first, second] = [await newClaim(), await newClaim()];
    const film = Buffer.concat([MP4, randomBytes(10)]);
    await upload(first, film).expect(200);
    const key = (await gateway.database.read.rights.findClaim(first))?.claim.work?.objectKey ?? '';
    await gateway.database.unitOfWork(async (uow) => {
      await uow.claims.setWork(first, claimedWork('awaited', []));
      expect(await uow.media.markForDeletion([key])).toEqual([key]);
    });
    expect((await upload(second, film)).status).toBe(503);
    await gateway.objects.delete(key);
    await media.confirmDeletion([key]);
    await upload(second, film).expect(200);
    expect(await gateway.objects.stat(key)).not.toBeNull();
  });

  describe('at an address', () => {
    const url = 'https://www.reddit.com/r/pics/comments/1abcde/valley/';
    const claim = (body: object) => gateway.call('post', '/api/rights/claims', { title: 'Valley', claimant: 'North Light', ...body });
    const fetchAgain = (id: string) => gateway.call('post', `/api/rights/claims/${id}/fetch`);
    const fail = (id: string) =>
      gateway.database.unitOfWork(async (uow) => {
        await uow.jobs.cancelOpen(id);
        await uow.claims.setWork(id, claimedWork('failed', [], { urls: [url], missed: [{ url, message: 'Gone.' }] }));
      });

    it('is fetched by a worker, and posts with the address are stopped meanwhile', async () => {
      const { body } = await claim({ workUrls: [url, 'https://northlight.example/valley.jpg'] }).expect(200);
      expect(claimSchema.strict().parse(body.data)).toMatchObject({
        work: { state: 'requested', files: 0, urls: [url, 'https://northlight.example/valley.jpg'], missed: [] },
        targets: [
          { kind: 'url', key: 'northlight.example/valley.jpg' },
          { kind: 'url', key: 'reddit:1abcde' },
        ],
      });
      expect(await gateway.database.read.jobs.findOpen('retrieve', body.data.id)).toMatchObject({ state: 'requested', forPerson: true });
      expect((await fetchAgain(body.data.id)).status).toBe(409);
    });

    it('is fetched again on request', async () => {
      const { id } = (await claim({ workUrls: [url] }).expect(200)).body.data;
      await fail(id);
      const [before] = (await gateway.call('get', '/api/rights/claims').expect(200)).body.data.posts as Claim[];
      expect(before?.work).toMatchObject({ state: 'failed', missed: [{ url, message: 'Gone.' }] });
      const { body } = await fetchAgain(id).expect(200);
      expect(body.data.work).toMatchObject({ state: 'requested', missed: [] });
      expect(await gateway.database.read.jobs.findOpen('retrieve', id)).not.toBeNull();
    });

    it.each([
      ['with a file as well', { workUrls: [url], upload: true }],
      ['that is none', { workUrls: ['the valley'] }],
      ['beside fifty others', { workUrls: Array.from({ length: 51 }, (_, place) => `https://northlight.example/${place}.jpg`) }],
    ])('is refused %s', async (_what, body) => expect((await claim(body)).status).toBe(422));

    it('is required for a claim to be fetched again', async () => expect((await fetchAgain(await newClaim())).status).toBe(409));
  });

  it.each([
    ['nothing', Buffer.alloc(0), 400],
    ['a page', Buffer.from('<!doctype html><title>x</title>'.padEnd(200)), 415],
    ['a few bytes', Buffer.from([1]), 415],
    ['a HEIC sequence', Buffer.from('\0\0\0\x18ftyphevc'.padEnd(80), 'latin1'), 415],
  ])('is refused if it is %s', async (_what, bytes, status) => {
    const id = await newClaim();
    expect((await upload(id, bytes)).status).toBe(status);
    expect((await gateway.database.read.rights.findClaim(id))?.claim.work).toMatchObject({ state: 'awaited' });
  });

  it.each([
    ['webm', '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x84webm', 'video'],
    ['mkv', '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x86\x81\x01B\x82\x88matroska', 'video'],
    ['mov', '\0\0\0\x14ftypqt  ', 'video'],
    ['jpg', '\xff\xd8\xff\xe0', 'image'],
    ['png', '\x89PNG\r\n\x1a\n', 'image'],
    ['webp', 'RIFF\x10\0\0\0WEBPVP8 ', 'image'],
    ['gif', 'GIF89a', 'image'],
    ['avif', '\0\0\0\x1cftypavif', 'image'],
    ['avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif', 'image'],
    ['heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'image'],
    ['heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'image'],
  ])('is recognised as %s by its bytes', async (extension, head, mediaType) => {
    const id = await newClaim();
    await upload(id, Buffer.concat([Buffer.from(head, 'latin1'), randomBytes(100)])).expect(200);
    const work = (await gateway.database.read.rights.findClaim(id))?.claim.work;
    expect(work).toMatchObject({ mediaType, objectKey: expect.stringMatching(new RegExp(`\\.${extension}$`, 'u')) });
  });
});
