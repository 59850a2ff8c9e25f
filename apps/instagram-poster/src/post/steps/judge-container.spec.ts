import type { ContainerStatus } from '@autoposter/domain';
import { judgeContainer } from './judge-container';

const judge = (status: ContainerStatus, message: string | null = null, earlier = 0, copyrightMatches: boolean | null = false) =>
  judgeContainer({ status, message, copyrightMatches }, earlier);
const failed = (subcode: number) => `Error: Media upload has failed with error code ${subcode}`;

it('tells ready, in work and published', () => {
  expect([judge('FINISHED'), judge('IN_PROGRESS'), judge('PUBLISHED')]).toEqual([{ is: 'ready' }, { is: 'in-work' }, { is: 'published' }]);
});

it.each([
  [2207026, 'unsupported_media', 'Instagram does not support this video format.'],
  [2207076, 'unsupported_media', 'Instagram could not process this video.'],
  [2207085, 'unsupported_media', 'Instagram could not process this video.'],
  [2207057, 'invalid_input', 'The cover position lies outside the video.'],
  [2209999, 'upstream_rejected', 'Instagram could not process the upload.'],
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
