import { QueryClient } from '@tanstack/react-query';
import { loaderOf, type PagedList } from './paged-list';

interface Entry {
  id: string;
  at: number;
}

/** A server with entries whose pages are answered one by one. */
function world(entries: Entry[]) {
  const client = new QueryClient();
  const asked: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const loader = loaderOf<Entry>({
    root: 'downloads',
    idOf: ({ id }) => id,
    same: (a, b) => a.at === b.at,
    read: ({ cursor }) => {
      asked.push(cursor);
      const from = Number(cursor ?? 0);
      const page = {
        data: entries.slice(from, from + 2).map((entry) => ({ ...entry })),
        nextCursor: from + 2 < entries.length ? `${from + 2}` : null,
      };
      return new Promise((resolve) => answers.push(() => resolve({ ...page, totalCount: entries.length })));
    },
  })(client);
  const answer = async () => {
    answers.shift()?.();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  const shown = () => client.getQueryData<PagedList<Entry>>(['downloads']);
  return { client, loader, asked, answer, shown };
}
const of = (ids: string, at = 1): Entry[] => [...ids].map((id) => ({ id, at }));

describe('a list that is read in pages', () => {
  it('shows the first page while the others come', async () => {
    const { loader, answer, shown, asked } = world(of('abcde'));
    const whole = loader.read();
    await answer();
    expect(shown()).toEqual({ data: of('ab'), total: 5, complete: false });
    await answer();
    await answer();
    await expect(whole).resolves.toEqual({ data: of('abcde'), total: 5, complete: true });
    expect(asked).toEqual([undefined, '2', '4']);
  });

  it('keeps the objects of what did not change', async () => {
    const entries = of('ab');
    const { loader, answer } = world(entries);
    const first = loader.read();
    await answer();
    (entries[1] as Entry).at = 2;
    const second = loader.read();
    await answer();
    const [before, after] = [(await first).data, (await second).data];
    expect([after[0] === before[0], after[1] === before[1], after[1]?.at]).toEqual([true, false, 2]);
  });

  it('reads once more after all that was asked for meanwhile, and not beside itself', async () => {
    const { loader, answer, asked } = world(of('ab'));
    const first = loader.read();
    const [second, third] = [loader.read(), loader.read()];
    expect([second === third, asked.length]).toEqual([true, 1]);
    await answer();
    await first;
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await answer();
    await expect(second).resolves.toMatchObject({ complete: true });
    expect(asked).toHaveLength(2);
  });

  it('shows what was read though whoever asked waits for a later reading by now', async () => {
    const { loader, answer, shown } = world(of('ab'));
    const first = loader.read();
    void loader.read();
    await answer();
    await first;
    expect(shown()).toEqual({ data: of('ab'), total: 2, complete: true });
  });

  it('does not bring back what left the list while it was being read', async () => {
    const { loader, answer, shown } = world(of('abc'));
    const whole = loader.read();
    await answer();
    loader.drop(['a']);
    expect(shown()?.data).toEqual(of('b'));
    await answer();
    await whole;
    expect(shown()).toEqual({ data: of('bc'), total: 2, complete: true });
  });
});
