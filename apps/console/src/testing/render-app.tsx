import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider } from 'react-router-dom';
import { NavigationGuard } from '../app/navigation-guard';
import { NotificationStack } from '../app/notifications/notifications';
import { routes } from '../app/router';
import { keepToken } from '../data/session/session-token';
import { Providers } from '../theme/theme';

/** Rules that decide whether an element can be seen and used; those of animations and pseudo-elements such as placeholders do not. */
const VISIBILITY_RULE = /^(?!@keyframes|[^{]*::).*(?:display:\s*none|visibility:|opacity:|pointer-events:|width:\s*1px)/su;

/**
 * Inserts only the styles that affect visibility. jsdom matches every rule against every element in each `getComputedStyle`, and role queries call
 * that for each element: with all styles in place this takes two thirds of the time of a test.
 */
function createTestStyles(): ReturnType<typeof createCache> {
  const cache = createCache({ key: 'css' });
  const insert = cache.sheet.insert.bind(cache.sheet);
  cache.sheet.insert = (rule) => {
    if (VISIBILITY_RULE.test(rule)) insert(rule);
  };
  return cache;
}

/** One for all tests of a spec: each further one would insert the same rules again. */
const testStyles = createTestStyles();

interface Rendered {
  user: UserEvent;
  router: ReturnType<typeof createMemoryRouter>;
  unmount: () => void;
}

/**
 * Enters each text as one change, like a paste, and presses each `{Key}`: single characters would render a whole form for each of them, which
 * takes half of the time of a test.
 */
function typeAtOnce(user: UserEvent): UserEvent {
  const type: UserEvent['type'] = async (field, text) => {
    await user.click(field);
    for (const part of text.split(/(\{\w+\})/u).filter(Boolean)) await (part.startsWith('{') ? user.keyboard(part) : user.paste(part));
  };
  return { ...user, type };
}

function renderRoutes(tree: RouteObject[], path: string): Rendered {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const router = createMemoryRouter(tree, { initialEntries: [path] });
  const { unmount } = render(
    <CacheProvider value={testStyles}>
      <QueryClientProvider client={client}>
        <Providers>
          <RouterProvider router={router} />
        </Providers>
      </QueryClientProvider>
    </CacheProvider>,
  );
  return { user: typeAtOnce(userEvent.setup({ delay: null })), router, unmount };
}

/** Renders the whole console at `path`, signed in by default, without retries. */
export function renderApp(path: string, options: { signedIn?: boolean } = {}): Rendered {
  if (options.signedIn !== false) keepToken('test-token');
  return renderRoutes(routes, path);
}

/** Renders the admin screen at `path` and the notifications, without navigation and top bar: much faster than the whole console. */
export function renderScreen(path: string): Rendered {
  keepToken('test-token');
  const admin = routes.find((route) => route.path === '/admin');
  const frame = (
    <>
      <Outlet />
      <NotificationStack />
      <NavigationGuard />
    </>
  );
  return renderRoutes([{ path: '/admin', element: frame, HydrateFallback: () => null, children: admin?.children ?? [] }], path);
}
