import { useSearchParams } from 'react-router-dom';

const LAST_PAGE = 1_000_000;

export interface Address<F> {
  fields: F;
  page: number;
  /** Whether a field differs from its default. */
  changed: boolean;
  /** Changes fields and goes back to page 1; the reader stays where they are. */
  change: (next: Partial<F>) => void;
  /** Another page is read from its beginning. */
  setPage: (page: number) => void;
}

/** A page number as it stands in an address; what is none counts as 1. */
export const pageIn = (text: string | null): number => {
  const page = Number(text ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
};

/**
 * Filters, sorting, tabs and the page of a list, kept in the address so that reloading, going back and a sent link show the same. What has
 * its default stays out of the address; parameters that are not among `defaults` stay as they are.
 */
export function useUrlState<F extends { [K in keyof F]: string }>(defaults: F): Address<F> {
  const [search, setSearch] = useSearchParams();
  const names = Object.keys(defaults) as (keyof F & string)[];
  const fields = Object.fromEntries(names.map((name) => [name, search.get(name) ?? defaults[name]])) as F;
  const write = (next: Partial<F>, page: number, options: { preventScrollReset: boolean }) =>
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
    page: pageIn(search.get('page')),
    changed: names.some((name) => fields[name] !== defaults[name]),
    change: (next) => write(next, 1, { preventScrollReset: true }),
    setPage: (page) => write({}, page, { preventScrollReset: false }),
  };
}
