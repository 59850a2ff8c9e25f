import { readPreferences, resetPreferences, setPreferences } from './preferences';

const KEY = 'autoposter.preferences';
const DEFAULTS = { noticeSeconds: 5, shortcuts: true, autoplay: true, timeZone: null, accountId: null };
const stored = (value: string) => {
  window.localStorage.setItem(KEY, value);
  resetPreferences();
  return readPreferences();
};

describe('preferences', () => {
  it('are stored in the browser', () => {
    setPreferences({ noticeSeconds: 0, timeZone: 'Asia/Kathmandu' });
    resetPreferences();
    expect(readPreferences()).toEqual({ ...DEFAULTS, noticeSeconds: 0, timeZone: 'Asia/Kathmandu' });
  });

  it.each(['{"noticeSeconds":7,"timeZone":"Mars/Olympus"}', '{"noticeSeconds":"x","shortcuts":null,"accountId":"all"}', 'not JSON', '{}'])(
    'use defaults for invalid stored values: %s',
    (value) => expect(stored(value)).toEqual(DEFAULTS),
  );

  it('keep valid stored values', () => {
    const accountId = '0197bbbb-0000-7000-8000-000000000002';
    expect(stored(JSON.stringify({ noticeSeconds: 10, shortcuts: false, autoplay: false, timeZone: 'UTC', accountId }))).toEqual({
      noticeSeconds: 10,
      shortcuts: false,
      autoplay: false,
      timeZone: 'UTC',
      accountId,
    });
  });

  it('last until the page is closed when storage is unavailable', () => {
    const setItem = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('denied');
    });
    setPreferences({ autoplay: false });
    expect(readPreferences().autoplay).toBe(false);
    setItem.mockRestore();
  });
});
