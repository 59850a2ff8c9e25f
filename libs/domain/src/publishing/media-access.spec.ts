import { mediaAccessOf, whyOutOfReach } from './media-access';

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
