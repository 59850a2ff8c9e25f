import { api } from '@autoposter/contracts';
import { isTraced } from './middleware';

describe('isTraced', () => {
  it.each([api.content.details.path, api.subreddits.list.path])('gives %s a span', (path) => {
    expect(isTraced(path)).toBe(true);
  });

  it.each([api.live.events.path, api.health.health.path, '/healthz', '/metrics', '/', '/media/1763700000/c2lnbmF0dXJl/originals/ab/x.mp4'])(
    'gives %s no span',
    (path) => {
      expect(isTraced(path)).toBe(false);
    },
  );
});
