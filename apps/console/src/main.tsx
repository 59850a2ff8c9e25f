import '@fontsource-variable/inter/wght.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { Providers } from './theme/theme';
import { routes } from './app/router';
import { startBrowserLogger } from './data/logs/browser-logger';
import { takeTokenFromUrl } from './data/session/session-token';

takeTokenFromUrl();
startBrowserLogger();

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={createBrowserRouter(routes)} />
      </Providers>
    </StrictMode>,
  );
}
