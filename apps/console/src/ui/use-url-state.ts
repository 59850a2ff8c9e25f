import { useSearchParams } from 'react-router-dom';

const LAST_PAGE = 1_000_000;

interface UrlState<F> {
  fields: F;
  page: number;
  changed: boolean;
  /** Changes fields, returns to page 1 and keeps the scroll position. `flushSync` renders before the next event: for keys that repeat. */
  change: (next: Partial<F>, options?: { flushSync?: boolean }) => void;
  /** Changes the page and scrolls to the top. */
  setPage: (page: number) => void;
}

/** An invalid page number counts as 1. */
export const parsePage = (text: string | null): number => {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
};

/**
 * Filters, sorting, tab and page in the query string, so that reload, Back and shared links restore them. Default values are omitted;
 * parameters that are not in `defaults` stay unchanged.
 */
export function useUrlState<F extends { [K in keyof F]: string }>(defaults: F): UrlState<F> {
  const [search, setSearch] = useSearchParams();
  const names = Object.keys(defaults) as (keyof F & string)[];
  const fields = Object.fromEntries(names.map((name) => [name, search.get(name) ?? defaults[name]])) as F;
  const write = (next: Partial<F>, page: number, options: { preventScrollReset: boolean; flushSync?: boolean }) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of names) {
          const value: string = next[name] ?? fields[name];
          if (value === defaults[name]) after.delete(name);
          else after.set(name, value);
        }
        if (page > 1) after.set('page', String(page));
        else after.delete('page');
        return after;
      },
      { replace: true, ...options },
    );
  return {
    fields,
    page: parsePage(search.get('page')),
    changed: names.some((name) => fields[name] !== defaults[name]),
    change: (next, options) => write(next, 1, { preventScrollReset: true, ...options }),
    setPage: (page) => write({}, page, { preventScrollReset: false }),
  };
}
