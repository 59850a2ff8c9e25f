import { QueryClient } from '@tanstack/react-query';
import { type PagedList, pagedListOf } from './paged-list';

interface Entry {
  id: string;
  at: number;
}

/** A list over pages of two entries; `respond` answers the oldest pending request. */
function setUp(entries: Entry[]) {
  const client = new QueryClient();
  const cursors: (string | undefined)[] = [];
  const responses: (() => void)[] = [];
  const list = pagedListOf<Entry>({
    root: 'downloads',
    idOf: ({ id }) => id,
    same: (a, b) => a.at === b.at,
    read: ({ cursor }) => {
      cursors.push(cursor);
      const from = Number(cursor ?? 0);
      const page = {
        data: entries.slice(from, from + 2).map((entry) => ({ ...entry })),
        nextCursor: from + 2 < entries.length ? `${from + 2}` : null,
      };
      return new Promise((resolve) => responses.push(() => resolve({ ...page, totalCount: entries.length })));
    },
  })(client);
  const respond = async () => {
    responses.shift()?.();
    await jest.advanceTimersByTimeAsync(0);
  };
  const cached = () => client.getQueryData<PagedList<Entry>>(['downloads']);
  return { client, list, cursors, respond, cached };
}
const entriesOf = (ids: string, at = 1): Entry[] => [...ids].map((id) => ({ id, at }));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('pagedListOf', () => {
  it('publishes the first page while the others are being fetched', async () => {
    const { list, respond, cached, cursors } = setUp(entriesOf('abcde'));
    const whole = list.read();
    await respond();
    expect(cached()).toEqual({ data: entriesOf('ab'), total: 5, complete: false });
    await respond();
    await respond();
    await expect(whole).resolves.toEqual({ data: entriesOf('abcde'), total: 5, complete: true });
    expect(cursors).toEqual([undefined, '2', '4']);
  });

  it('refuses an answer without entries', async () => {
    const source = { root: 'downloads', idOf: ({ id }: Entry) => id, same: () => true } as const;
    const list = pagedListOf<Entry>({ ...source, read: () => Promise.resolve({ success: true } as never) })(new QueryClient());
    await expect(list.read()).rejects.toThrow('The server sent an answer that could not be read');
  });

  it('keeps the objects of unchanged entries', async () => {
    const entries = entriesOf('ab');
    const { list, respond } = setUp(entries);
    const first = list.read();
    await respond();
    (entries[1] as Entry).at = 2;
    const second = list.read();
    await respond();
    const [before, after] = [(await first).data, (await second).data];
    expect([after[0] === before[0], after[1] === before[1], after[1]?.at]).toEqual([true, false, 2]);
  });

  it('combines all reads during a fetch into one fetch afterwards', async () => {
    const { list, respond, cursors } = setUp(entriesOf('ab'));
    const first = list.read();
    const [second, third] = [list.read(), list.read()];
    expect([second === third, cursors.length]).toEqual([true, 1]);
    await respond();
    await first;
    await jest.advanceTimersByTimeAsync(0);
    expect(cursors).toHaveLength(2);
    await respond();
    await expect(second).resolves.toMatchObject({ complete: true });
    expect(cursors).toHaveLength(2);
  });

  it('waits before the next fetch for three times as long as the last one took', async () => {
    const { list, respond, cursors } = setUp(entriesOf('ab'));
    void list.read();
    await jest.advanceTimersByTimeAsync(1_000);
    void list.read();
    await respond();
    await jest.advanceTimersByTimeAsync(2_999);
    expect(cursors).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(cursors).toHaveLength(2);
  });

  it('publishes a finished fetch while its caller already waits for the next one', async () => {
    const { list, respond, cached } = setUp(entriesOf('ab'));
    const first = list.read();
    void list.read();
    await respond();
    await first;
    expect(cached()).toEqual({ data: entriesOf('ab'), total: 2, complete: true });
  });

  it('does not restore an entry that was dropped during the fetch', async () => {
    const { list, respond, cached } = setUp(entriesOf('abc'));
    const whole = list.read();
    await respond();
    list.drop(['a']);
    expect(cached()?.data).toEqual(entriesOf('b'));
    await respond();
    await whole;
    expect(cached()).toEqual({ data: entriesOf('bc'), total: 2, complete: true });
  });
});
