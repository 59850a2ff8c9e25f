import { videoLength } from './video-length';

it('tells the length of a video', () => {
  expect([videoLength(6.6), videoLength(90), videoLength(0)]).toEqual(['0:07', '1:30', '0:00']);
});
