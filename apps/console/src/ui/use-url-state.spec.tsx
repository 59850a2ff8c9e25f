import { act, render, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, MemoryRouter, RouterProvider, ScrollRestoration, useLocation } from 'react-router-dom';
import { parsePage, useUrlState } from './use-url-state';

const DEFAULTS = { status: '', sort: 'time' };

const start = (search: string) =>
  renderHook(() => ({ address: useUrlState(DEFAULTS), search: useLocation().search }), {
    wrapper: ({ children }: { children: ReactNode }) => <MemoryRouter initialEntries={[`/list${search}`]}>{children}</MemoryRouter>,
  }).result;

describe('useUrlState', () => {
  it('reads fields from the query string and defaults for the rest', () => {
    const { address } = start('?status=failed&page=3').current;
    expect(address.fields).toEqual({ status: 'failed', sort: 'time' });
    expect(address.page).toBe(3);
    expect(address.changed).toBe(true);
    expect(start('?item=7').current.address.changed).toBe(false);
  });

  it('returns to page 1 with each change and keeps unrelated parameters', () => {
    const result = start('?item=7&page=3');
    act(() => result.current.address.change({ status: 'failed' }));
    expect(result.current.search).toBe('?item=7&status=failed');
    act(() => result.current.address.change({ status: '' }));
    expect(result.current.search).toBe('?item=7');
  });

  it('keeps the fields when the page changes', () => {
    const result = start('?status=failed');
    act(() => result.current.address.setPage(2));
    expect(result.current.search).toBe('?status=failed&page=2');
    act(() => result.current.address.setPage(1));
    expect(result.current.search).toBe('?status=failed');
  });

  it('keeps the scroll position when a field changes and scrolls to the top when the page changes', () => {
    const scrollTo = jest.spyOn(window, 'scrollTo');
    let address = {} as ReturnType<typeof useUrlState<typeof DEFAULTS>>;
    const List = () => {
      address = useUrlState(DEFAULTS);
      return <ScrollRestoration />;
    };
    render(<RouterProvider router={createMemoryRouter([{ path: '/list', element: <List /> }], { initialEntries: ['/list'] })} />);
    scrollTo.mockClear();
    act(() => address.change({ status: 'failed' }));
    expect(address.fields.status).toBe('failed');
    expect(scrollTo).not.toHaveBeenCalled();
    act(() => address.setPage(2));
    expect(scrollTo).toHaveBeenCalledWith(0, 0);
  });

  it.each([
    ['2', 2],
    [null, 1],
    ['0', 1],
    ['-1', 1],
    ['1.5', 1],
    ['many', 1],
    ['', 1],
    ['1000001', 1],
  ])('parses page %j as %j', (text, page) => {
    expect(parsePage(text)).toBe(page);
  });
});
