import type { ContainerStatus } from '@autoposter/domain';
import { judgeContainer, stillInWork } from './judge-container';

const judge = (status: ContainerStatus, message: string | null = null, earlier = 0, matchesFound: boolean | null = false) =>
  judgeContainer({ status, message, copyright: matchesFound === null ? null : { state: 'completed', matchesFound, matches: [] } }, earlier);
const failed = (subcode: number) => `Error: Media upload has failed with error code ${subcode}`;

it('tells ready, in work and published', () => {
  expect([judge('FINISHED'), judge('IN_PROGRESS'), judge('PUBLISHED')]).toEqual([{ is: 'ready' }, { is: 'in-work' }, { is: 'published' }]);
});

it.each([
  [2207026, 'unsupported_media', 'Instagram does not support this video format.'],
  [2207076, 'unsupported_media', 'Instagram could not process this video.'],
  [2207085, 'unsupported_media', 'Instagram could not process this video.'],
  [2207057, 'invalid_input', 'The cover position lies outside the video.'],
  [2209999, 'upstream_rejected', 'Instagram could not process the upload: error 2209999, which it does not document.'],
])('explains %s in words, not in the platform’s', (subcode, kind, message) => {
  expect(judge('ERROR', failed(subcode))).toMatchObject({ is: 'refused', failure: { kind, message, detail: { subcode } } });
});

it('makes a new one once where the platform did not get at the file, and then says that it tried twice', () => {
  for (const subcode of [2207077, 2207082, 2207053, 2207001]) {
    expect(judge('ERROR', failed(subcode), 0)).toMatchObject({ is: 'spent' });
    expect(judge('ERROR', failed(subcode), 1)).toMatchObject({
      is: 'refused',
      failure: { kind: 'upstream_rejected', nextAction: expect.stringContaining('tried twice') },
    });
  }
});

it('makes a new one for one that expired, however often', () => {
  expect([judge('EXPIRED', null, 0).is, judge('EXPIRED', null, 7).is]).toEqual(['spent', 'spent']);
});

it('stops at a copyright match whatever the state', () => {
  expect(judge('FINISHED', null, 0, true)).toMatchObject({ is: 'refused', failure: { kind: 'rights_blocked' } });
  expect(judge('FINISHED', null, 0, null)).toEqual({ is: 'ready' });
});

const FIRST = new Date('2026-05-01T10:00:00Z');
const look = async (minutes: number, checkpoint?: unknown) => {
  const saveCheckpoint = jest.fn(() => Promise.resolve());
  const now = new Date(FIRST.getTime() + minutes * 60_000);
  const result = await stillInWork({ checkpoint, saveCheckpoint, now }, { containerPollSeconds: 60 }, 'Preparing.');
  return { result, saveCheckpoint };
};

describe('media that the platform is still preparing', () => {
  it('are polled again, and the start of the wait is saved once', async () => {
    const { result, saveCheckpoint } = await look(0);
    expect(result).toMatchObject({ kind: 'wait', seconds: 5, reason: 'Preparing.' });
    expect(saveCheckpoint.mock.calls).toEqual([[FIRST.toISOString()]]);
    const later = await look(119, FIRST.toISOString());
    expect(later.result).toMatchObject({ kind: 'wait' });
    expect(later.saveCheckpoint).not.toHaveBeenCalled();
  });

  it('are polled after 5 s first and then less often, down to once a minute', async () => {
    const looks = [0];
    for (let at = 0; looks.length < 9; looks.push(at)) {
      const { result } = await look(at / 60, FIRST.toISOString());
      at += (result as { seconds: number }).seconds;
    }
    expect(looks).toEqual([0, 5, 10, 20, 40, 80, 140, 200, 260]);
  });

  it('are given up with words after two hours', async () => {
    expect((await look(121, FIRST.toISOString())).result).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected', message: 'Instagram has been preparing the media for more than 2 hours.' },
    });
  });
});
