import { createReadStream } from 'node:fs';
import type { ClaimedWork, ClaimScope } from '@autoposter/contracts';
import { requestStage } from '@autoposter/job-engine';
import type { ContentItem } from '@autoposter/persistence';
import { DmcaTestHarness } from '../testing/dmca-test-harness';

const dmca = new DmcaTestHarness();
/** Little more than what has to agree: the worker encodes each video, which takes most of a test. */
const SECONDS = 8;

/** Three voices whose notes change at different times; another `seed` is another melody. */
const melody = (seed: number): string => {
  const voice = (base: number, rate: string, reach: number, turn: number): string =>
    `sin(2*PI*t*${base}*pow(2,floor(${reach}*sin(floor(t*${rate})*${turn}+${seed}*${turn}))/12))`;
  const voices = [voice(220, `2.${seed}`, 7, 1.7), voice(110, '3', 5, 1.1 + seed / 10), voice(440, `4.${seed}`, 7, 2.3 + seed / 7)];
  return `aevalsrc='0.2*${voices.join('+0.2*')}':s=22050:d=${SECONDS}`;
};

/** A video of one picture and one melody of these numbers. */
const video = (name: string, picture: number, tune: number, bitRate = '128k'): string => {
  const still = ['-loop', '1', '-framerate', '5', '-i', dmca.picture(`picture-${picture}.jpg`, picture)];
  const inputs = [...still, '-f', 'lavfi', '-i', melody(tune), '-vf', 'scale=240:300', '-t', String(SECONDS)];
  return dmca.make(name, ...inputs, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', bitRate);
};

/** A claim by the upload of this file, once the worker is done with it. */
async function claimed(file: string, scope: ClaimScope): Promise<string> {
  const [type, extension] = file.endsWith('.mp3') ? ['audio/mpeg', 'mp3'] : ['video/mp4', 'mp4'];
  const { key, bytes, sha256 } = await dmca.objects.put('originals', createReadStream(file), type as string, extension as string);
  const work: ClaimedWork = { state: 'stored', bytes, sha256, mediaType: 'video', objectKey: key, message: null };
  const { id } = await dmca.fresh.database.unitOfWork(async (uow) => {
    const claim = await uow.rights.addClaim({ title: 'A song', claimant: 'A Band', createdBy: 'a', scope, work }, []);
    await requestStage(uow, { stage: 'register', subjectId: claim.id, itemId: null, key: claim.id, actor: 'a' });
    return claim;
  });
  await dmca.harness.latestJob('register', id, 'done', 60_000);
  return id;
}

const decisionOf = (item: ContentItem) => dmca.fresh.database.read.rights.decisionOf(item.id);

describe('the sound of a post', () => {
  beforeAll(() => dmca.start());
  afterAll(() => dmca.stop());
  beforeEach(() => dmca.open());
  afterEach(() => dmca.close());

  it('flags a claimed sound under other pictures, and never blocks it', async () => {
    const claim = await claimed(video('song.mp4', 1, 1), 'audio');
    const item = await dmca.protect(await dmca.downloaded(video('same-song.mp4', 3, 1, '64k')));
    expect(item).toMatchObject({ state: 'protected', needsReview: true, reviewReasons: [{ code: 'shares_sound' }] });
    const [match, ...others] = (await decisionOf(item))?.matches ?? [];
    expect([match?.kind, match?.id, match?.by, match?.strength, others]).toEqual(['claim', claim, 'sound', 'flag', []]);
    expect(match?.shareOfTheirs).toBeGreaterThan(0.8);
    expect(await dmca.fresh.database.read.frames.ofItem(item.id)).toEqual([]);
  });

  it('flags a song that was claimed as a sound file', async () => {
    const claim = await claimed(dmca.make('song.mp3', '-f', 'lavfi', '-i', melody(1), '-b:a', '96k'), 'audiovisual');
    const item = await dmca.protect(await dmca.downloaded(video('song.mp4', 3, 1)));
    expect(item).toMatchObject({ state: 'protected', needsReview: true, reviewReasons: [{ code: 'shares_sound' }] });
    expect((await decisionOf(item))?.matches).toMatchObject([{ kind: 'claim', id: claim, by: 'sound', strength: 'flag' }]);
  });

  it('clears another melody, and the claimed one where pictures alone are claimed', async () => {
    await claimed(video('song.mp4', 1, 1), 'visual');
    const [other, same] = [
      await dmca.downloaded(video('other.mp4', 3, 2)),
      await dmca.downloaded(video('same.mp4', 6, 1), { sourceId: 's' }),
    ];
    for (const item of [other, same]) expect(await dmca.protect(item)).toMatchObject({ state: 'protected', needsReview: false });
  });

  it('lists an earlier post with the same sound as evidence only', async () => {
    const earlier = await dmca.protect(await dmca.downloaded(video('earlier.mp4', 1, 1)));
    const later = await dmca.protect(await dmca.downloaded(video('later.mp4', 3, 1), { sourceId: 'later' }));
    expect(later).toMatchObject({ state: 'protected', needsReview: false });
    expect(await decisionOf(later)).toMatchObject({
      verdict: 'clear',
      matches: [{ kind: 'item', id: earlier.id, by: 'sound', strength: 'pass' }],
    });
  });
});
