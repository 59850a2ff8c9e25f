import { audioCandidates, readDashManifest } from './dash';

const manifest = (sets: string) => `<MPD><Period>${sets}</Period></MPD>`;
const MANIFEST_URL = 'https://v.redd.it/vid/DASHPlaylist.mpd?a=1';

test('kind by mimeType where the set does not tell, order by bandwidth', () => {
  const xml = manifest(
    `<AdaptationSet><Representation bandwidth="5" height="2" mimeType="video/mp4" width="1"><BaseURL>DASH_240</BaseURL></Representation>
     <Representation bandwidth="50" mimeType="video/mp4"><BaseURL>DASH_480</BaseURL></Representation>
     <Representation bandwidth="9" mimeType="audio/mp4"><BaseURL>audio</BaseURL></Representation></AdaptationSet>`,
  );
  expect(readDashManifest(xml, MANIFEST_URL)).toEqual({
    video: [
      { url: 'https://v.redd.it/vid/DASH_480', bandwidth: 50, width: null, height: null },
      { url: 'https://v.redd.it/vid/DASH_240', bandwidth: 5, width: 1, height: 2 },
    ],
    audio: [{ url: 'https://v.redd.it/vid/audio', bandwidth: 9, width: null, height: null }],
  });
});

test('reads attributes in either kind of quotes', () => {
  const track = `<Representation mimeType='audio/mp4' bandwidth='9'><BaseURL>audio</BaseURL></Representation>`;
  const { audio } = readDashManifest(manifest(`<AdaptationSet>${track}</AdaptationSet>`), MANIFEST_URL);
  expect(audio).toMatchObject([{ url: 'https://v.redd.it/vid/audio', bandwidth: 9 }]);
});

test.each(['../../secret.mp4', 'https://evil.example/x.mp4', '//evil.example/x', 'a/b.mp4', '..'])(
  'a name that leads elsewhere (%s) is dropped',
  (name) => {
    const xml = manifest(
      `<AdaptationSet contentType="video"><Representation bandwidth="5"><BaseURL>${name}</BaseURL></Representation></AdaptationSet>`,
    );
    expect(readDashManifest(xml, MANIFEST_URL).video).toEqual([]);
  },
);

test.each(['', '<html>', '<MPD><Period><AdaptationSet></AdaptationSet>'])('%j holds no tracks', (xml) =>
  expect(readDashManifest(xml, MANIFEST_URL)).toEqual({ video: [], audio: [] }),
);

test('candidates for the sound begin with the file’s own generation and name nothing twice', () => {
  const urls = audioCandidates('https://v.redd.it/vid/DASH_720.mp4?source=fallback');
  expect(urls[0]).toBe('https://v.redd.it/vid/DASH_AUDIO_128.mp4');
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls).toContain('https://v.redd.it/vid/audio');
  expect(audioCandidates('no address')).toEqual([]);
});

test('reads a manifest of unclosed elements in linear time, and keeps a bounded number of tracks', () => {
  const started = performance.now();
  for (const tag of ['<AdaptationSet>', '<AdaptationSet ', '<AdaptationSet><Representation>', '<BaseURL>  '])
    expect(readDashManifest(`${tag.repeat(250_000 / tag.length)}</MPD>`, MANIFEST_URL)).toEqual({ video: [], audio: [] });
  expect(performance.now() - started).toBeLessThan(1000);
  const track = '<Representation mimeType="video/mp4" bandwidth="1"><BaseURL>a.mp4</BaseURL></Representation>';
  expect(readDashManifest(manifest(`<AdaptationSet>${track.repeat(2000)}</AdaptationSet>`), MANIFEST_URL).video).toHaveLength(64);
});
