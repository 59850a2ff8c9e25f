import { downloadSample, SAMPLE_ID } from '@autoposter/contracts';
import { FakeApi } from '../../testing/fake-api';
import { keepToken } from '../session/session-token';
import { findItemByLink } from './use-rights';

const REDDIT = 'https://www.reddit.com/r/aww/comments/1abcde/title/';
const item = (originalUrl: string) => ({ ...downloadSample, originalUrl });

beforeEach(() => keepToken('test-token'));

describe('findItemByLink', () => {
  it('reads the id from a link to one of our pages without a request', async () => {
    const api = new FakeApi();
    expect(await findItemByLink(`https://autoposter.example.com/admin/items/${SAMPLE_ID}`)).toBe(SAMPLE_ID);
    expect(api.requests).toEqual([]);
  });

  it('searches all pages of the downloads for a source post', async () => {
    const api = new FakeApi().reply('GET /api/downloads', ({ query }) => ({
      body:
        query['cursor'] === undefined
          ? { success: true, data: [item('https://redd.it/other')], nextCursor: 'next' }
          : { success: true, data: [item('https://redd.it/1abcde')], nextCursor: null },
    }));
    expect(await findItemByLink(REDDIT)).toBe(downloadSample._id);
    expect(api.requests).toHaveLength(2);
  });

  it('returns null for an unknown post, and for a link to no post without a request', async () => {
    const api = new FakeApi().on('GET /api/downloads', { success: true, data: [], nextCursor: null });
    expect(await findItemByLink(REDDIT)).toBeNull();
    expect(await findItemByLink('https://www.reddit.com/r/aww')).toBeNull();
    expect(api.requests).toHaveLength(1);
  });
});
