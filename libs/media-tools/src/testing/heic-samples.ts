import { isoBox, writeHeic, type HevcPicture } from '@autoposter/testkit';

/** Tiles of 64 x 64 pixels, limited range, BT.709: red, green, blue and yellow. */
const TILE = { width: 64, height: 64 };
const TILE_CONFIGURATION = Buffer.from(
  [
    'AAAAeGh2Y0MBAWAAAACQAAAAAAAe8AD8/fj4AAAPA6AAAQAYQAEMAf//AWAAAAMAkAAAAwAAAwAelZgJoQABACtCAQEBYAAAAwCQAAADAAADAB6gIIEFllZp',
    'JMrwFqAgICCAAAADAIAAAAUEogABAAdEAcFytCJA',
  ].join(''),
  'base64',
);
const TILES: HevcPicture[] = [
  'AAAAFCgBrxGA9ZJ5//USV++kBd1qONE8',
  'AAAAFCgBrxGA9ZJ5yPFKX+zOn9tPONE8',
  'AAAAFCgBrxGA9ZJ5//lLEd8TYnb+40Tw',
  'AAAAFCgBrxGA9ZJ5yPkL1/xNgDv7jRPA',
].map((frame) => ({ configuration: TILE_CONFIGURATION, frame: Buffer.from(frame, 'base64') }));

/** `paint(11, 320, 240)`, full range, BT.709. */
const PHOTO = {
  configuration: Buffer.from(
    [
      'AAAAfGh2Y0MBAWAAAACQAAAAAAA88AD8/fj4AAAPA6AAAQAZQAEMAf//AWAAAAMAkAAAAwAAAwA8mYoCQKEAAQAuQgEBAWAAAAMAkAAAAwAAAwA8oAoIDxZZ',
      'mKkkba8BbgIaAggAAAMACAAAAwDIQKIAAQAHRAHBcrZiQA==',
    ].join(''),
    'base64',
  ),
  frame: Buffer.from(
    [
      'AAAGPigBrzyCezrsHIXljp62it6KM+zty1iwI5xIcXjBzfo4DUpLNpFyTLeosy1SgL/nEf/w2xPE9nRMwWr/ID9vYzR6QiR3m7SXsoZHAlcgddn0dU7/Nw8v',
      'taQskXBF0YZ1pOys5c8gnKlLBrevYt5C7Jpf5KMr5rK91ru70FN/nuty5kmOC9z/8hbr51lVKTZpZDeDPyNXMwTY5oKxUew9zAEVdnkkaojsQ6Adza/DKy8r',
      'dLr7Vgo8TyUqpKe2iCmHSOg6p3DQL9MRnwNl1guT1fRTbXlQFEOA9jRw/AsxEpC17cebigNhRuDm4VDmKAN1wmKHfrGoXV4r3WYU1gjgP7GN9taCC4CvAgvv',
      'jq8+7OvpYY7TZ9uJeNUFltB3CB15xgsgIaIDIKoNt2Z8MqrRVwy5uoQV2Y7Jviqxtob2yLHNiLMgjJQGhLDs1xyrFFF5SBxUZo591CIX0P5aMUsIScD5TP4N',
      'CMSXC0pRELEM++123Cb+BkgJzO40/D0iGMbLhV/HrCzNrSbkXeRm3Gh7aA4QfM06QRL7SmOzXnOZMhF0XkDf9QeRJRWpWvkaaNKTyBEJRi4jx8VzMxZzbyvi',
      'mhvv/qLQHwNt59hU1sNOrcCB4CGTN+OV67HRoN1CPTcsHe9nUIqKzA/S3yJcloY23edIS2M+zGOnnPGq5Oeecjv2QgQZXUUPj18Lj7Q8UwnM1424zZRr6u+E',
      'PVmFqZZB8+Xk8c9DiX62eE8h3k8TaN6ke/jMPjSXltSQX7JP8RDIrhQol34KI3w/kaCB/Ln+CssYAJuIhZM606m44lmBMAGKAk7/RQHAuw9pW9h/OBSYsY1i',
      'rD/vnmL9hQLeARnnOwuqPrWlK26EFoAcDl5fhG3Y00QPMxweMmr8DvJFLmhc1Vlem4dlExpXaVUr1bozb9Fq5wwtDnpvY3zw0kGIhmK8zAs7jlvGqXpU1Oe4',
      'D+/6J92v8ODRPQbtIoT5lpjE6najfxi68P9jntd3KdD7+FrCLF1PBSXp4U8l+GXsjvkc2oEAwIFKEeslcSeNAUA0F+VqHSEH2/gl2WGvMrxfA+aG95RAAj8n',
      'mLrSZ/PpJX3/jfwEAtG1XllZsVSfpa8gYww9QRJ141qGKpGyzhzjGtmjIWu8+QrclBiDeUNF3QaSol508SAzDe/YJxtEAbBeBOcHsMzx1Wf77ZbH8VU16uO4',
      '5YeGnzuMzqPefL3c2jLVjnHwPNe4ndevy1+/XX0qa2CmwXgS3JPDBQCTaG2MsglVyZGBb9C6b9wzTQqtFTi3X/VuwCTtcDxPLU6xFK2hymiN4Ap2XI5mQu5i',
      'J3ZuX48CYECVkKME0Ngo0xAiKKb5rDDPSOqDo5AB7DnRh40bSlmCk3HkadIe6O33qZeBnWuBczZSyBM7XtpXIEV8M0yTul4cR++HtZj4r2YA/+5E8i45P0II',
      'zRClOj6+4TTgfuv1gQdL53F/IdgfhSLHY4E4eSxr2RirwPG61WC31ZOUe3m5tDUJ4zIA9/nWzTYdx/z2OouxG9ERbdyf1F02W/sqBTOW1Y9VDvRfjIOH7GWw',
      'B9WbgIqrY2MaUk6i5ENn3Fb7k8e0t56vkrW2nYtKtZleahbN/I8d9+itma1Wn3jSko7tPAx8Vx0zesVMuRnOASD+JiVNpVkTd+nIvlR253xNsKdVuzczb2Si',
      'n52ifJkH1p9JxHHYmTPQ49H63MM6uki22fHYtjbkZiNiY6HbU8jH/tUTwsj+wFPoHczQ5vCZiJt7fCWdqAPmX0CuiuXgzpuuKmRJA4R7h5lUiYje6liAaOQ+',
      'UaxRyUE1PVDKAT3RGChayt9I5+xRa/UVaM90g3BngXdbqUdseinVvpoJEvpLm/gIPNM63QqWthgeyE3/N+u/9n5zuw6kLHAJfxtis5HqjKPzlTGRndMXknzY',
      'qGJP8tymz9CJSPSdnhNWPEShla3jMJkb4TuIENl7/6I6gkPYhthuoCFqZqnS2zvQBsD3sLRxtAFXnjwDQ6HQLEl2p3Js8Kvm1eR8KIyOzUQEhW4ya68b62UF',
      'sjKAUOml4bfis7ohyfXansEwhSPzC3+OLfaCL4w25Y4f+KmCPjwyv4S/FJRu6mzytdnY3OUCWmVX9U0T1DQBZLJaoAFCuERQ',
    ].join(''),
    'base64',
  ),
};

type Details = Partial<Omit<Parameters<typeof writeHeic>[0], 'tiles' | 'tile'>>;

/** A picture of two by two tiles, of which the grid shows 120 x 112 pixels: red, green, blue, yellow. */
export const quarters = (details: Details = {}): Buffer =>
  writeHeic({ tiles: TILES, tile: TILE, grid: { columns: 2, width: 120, height: 112 }, ...details });

/** A plain red picture. */
export const redTile = (details: Details = {}): Buffer => writeHeic({ tiles: TILES.slice(0, 1), tile: TILE, ...details });

/** The picture that `paint(11, 320, 240)` paints. */
export const heicPhoto = (details: Details = {}): Buffer => writeHeic({ tiles: [PHOTO], tile: { width: 320, height: 240 }, ...details });

/** Quarters of a turn, counter-clockwise. */
export const rotated = (quarters: number): Buffer => isoBox('irot', Buffer.from([quarters]));
/** Top and bottom (0) or left and right (1) change places. */
export const mirrored = (mode: number): Buffer => isoBox('imir', Buffer.from([mode]));
export const profiled = (icc: Buffer): Buffer => isoBox('colr', Buffer.from('prof', 'latin1'), icc);
/** BT.2020 with this transfer, with the matrix of BT.2020 and the limited range. */
export const bt2020 = (transfer: number): Buffer =>
  isoBox('colr', Buffer.from('nclx', 'latin1'), Buffer.from([0, 9, 0, transfer, 0, 9, 0]));
/** Code points of ITU-T H.273, with the matrix of BT.709 and the full range. */
export const nclx = (primaries: number, transfer: number): Buffer =>
  isoBox('colr', Buffer.from('nclx', 'latin1'), Buffer.from([0, primaries, 0, transfer, 0, 1, 0x80]));

/** 64 x 64 pixels of AV1 with 10 bits, which the `colr` box calls BT.2020 and PQ. */
export const PQ_AVIF = Buffer.from(
  [
    'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAD5bWV0YQAAAAAAAAAvaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAFBpY3R1cmVIYW5kbGVy',
    'AAAAAA5waXRtAAAAAAABAAAAHmlsb2MAAAAARAAAAQABAAAAAQAAASEAAAAeAAAAKGlpbmYAAAAAAAEAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAAGpp',
    'cHJwAAAAS2lwY28AAAAUaXNwZQAAAAAAAABAAAAAQAAAABBwaXhpAAAAAAMKCgoAAAAMYXYxQ4EATAAAAAATY29scm5jbHgACQAQAAkAAAAAF2lwbWEAAAAA',
    'AAAAAQABBAECgwQAAAAmbWRhdAoJGBV//aoSIBIIMhEYAAAAUAAACgV5KNvEUS+GuA==',
  ].join(''),
  'base64',
);
