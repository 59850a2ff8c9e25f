import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { routes } from '../app/router';
import { keepToken } from '../data/session/session-token';
import { Providers } from '../theme/theme';

interface Rendered {
  user: UserEvent;
  router: ReturnType<typeof createMemoryRouter>;
  unmount: () => void;
}

/** Renders the whole console at `path`, signed in by default, without retries. */
export function renderApp(path: string, options: { signedIn?: boolean } = {}): Rendered {
  if (options.signedIn !== false) keepToken('test-token');
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Providers>
        <RouterProvider router={router} />
      </Providers>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), router, unmount };
}
