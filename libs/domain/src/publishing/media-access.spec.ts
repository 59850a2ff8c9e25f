import { isInReach, isPublicAddress, mediaAccessOf, whyOutOfReach } from './media-access';

const reach = (hasPublicAddress: boolean, canUpload: boolean) => mediaAccessOf({ hasPublicAddress, canUpload });

it('takes everything from a public address, videos also as an upload, nothing without either', () => {
  expect(reach(true, false)).toEqual({ images: true, videos: true });
  expect(reach(false, true)).toEqual({ images: false, videos: true });
  expect(reach(false, false)).toEqual({ images: false, videos: false });
});

it.each([
  [['video'], false, true, null],
  [['image'], true, false, null],
  [['image'], false, true, 'pictures'],
  [['video', 'image'], false, true, 'pictures'],
  [['video'], false, false, 'cannot fetch the file'],
] as const)('%j with a public address: %s, with uploads: %s', (types, address, upload, words) => {
  const failure = whyOutOfReach(types, reach(address, upload));
  if (words === null) expect(failure).toBeNull();
  else
    expect(failure).toMatchObject({
      kind: 'not_configured',
      message: expect.stringContaining(words),
      nextAction: expect.stringContaining('CDN_BASE_URL'),
    });
});

it.each([
  ['https://cdn.autoposter.dev', true],
  ['https://cdn.autoposter.dev.', true],
  ['http://93.184.216.34:8080', true],
  ['https://[2606:2800:220:1::1]', true],
  ['https://172.32.0.1', true],
  ['http://localhost:3000', false],
  ['http://127.0.0.1:3000', false],
  ['http://10.1.2.3', false],
  ['http://172.16.0.1', false],
  ['http://192.168.1.5', false],
  ['http://100.64.0.1', false],
  ['http://169.254.1.1', false],
  ['http://[::1]:3000', false],
  ['http://[fd00::1]', false],
  ['http://minio:9000', false],
  ['http://minio.autoposter.svc', false],
  ['https://cdn.internal', false],
  ['https://printer.local', false],
  ['ftp://cdn.autoposter.dev', false],
  ['not an address', false],
  ['', false],
])('%s is reached from the internet: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

it.each([
  ['https://media.autoposter.dev', null, true],
  ['https://media.autoposter.dev', 'http://simulators:4003', true],
  ['http://gateway:3000', null, false],
  ['http://gateway:3000', 'https://graph.facebook.com', false],
  ['http://gateway:3000', 'http://simulators:4003', true],
  [null, 'http://simulators:4003', false],
])('%s is in reach of the platform at %s: %s', (address, platform, expected) => {
  expect(isInReach(address, platform)).toBe(expected);
});
