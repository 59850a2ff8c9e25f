import { sourceKeyOf, type SourceMedia } from './content-source.port';

const media = (url: string, manifestUrl: string | null = null): SourceMedia => ({
  kind: 'video',
  url,
  manifestUrl,
  audioUrl: null,
  width: null,
  height: null,
  durationSeconds: null,
});

describe('sourceKeyOf', () => {
  it('is equal for renditions and signatures of one upload', () => {
    const manifest = 'https://v.redd.it/abc/DASHPlaylist.mpd';
    const one = { sourceId: 'a', originId: 'a', media: [media('https://v.redd.it/abc/CMAF_720.mp4', `${manifest}?a=1`)] };
    const other = { sourceId: 'b', originId: 'a', media: [media('https://v.redd.it/abc/CMAF_480.mp4', `${manifest}?a=2`)] };
    expect(sourceKeyOf(one)).toBe(sourceKeyOf(other));
  });

  it('differs for other uploads and for galleries with other pictures', () => {
    const [one, two] = [media('https://i.redd.it/one.jpeg'), media('https://i.redd.it/two.jpeg')];
    const keys = [[one], [two], [one, two]].map((files) => sourceKeyOf({ sourceId: 'a', media: files }));
    expect(new Set(keys).size).toBe(3);
  });

  it('is that of the origin where a post has no media yet', () => {
    expect(sourceKeyOf({ sourceId: 'b', originId: 'a', media: [] })).toBe(sourceKeyOf({ sourceId: 'a', originId: 'a', media: [] }));
  });
});
