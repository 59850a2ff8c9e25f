import Dialog from '@mui/material/Dialog';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keepToken } from '../../data/session/session-token';
import { resetPreferences, setPreferences } from '../../preferences/preferences';
import { FakeApi } from '../../testing/fake-api';
import { clearNotifications, notify, restoreNotifications } from '../../ui/notifications';
import { NotificationMenu, NotificationStack } from './notifications';

const ID = '6f0f6f3e-4c5f-4a43-9b0e-6f0f6f3e4c5f';
const restore = (id: string) => ({ route: { method: 'POST', path: '/api/things/:id/restore' } as const, params: { id } });

function start() {
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <NotificationStack />
    </QueryClientProvider>,
  );
  return client;
}

beforeEach(() => {
  window.localStorage.clear();
  resetPreferences();
  clearNotifications();
  keepToken('test-token');
});
afterEach(() => jest.useRealTimers());

describe('a notification with undo', () => {
  it('sends the reverting request, invalidates the affected queries and confirms', async () => {
    const api = new FakeApi().on('POST /api/things/*/restore', { success: true, message: 'Done' });
    const read = jest.spyOn(start(), 'invalidateQueries');
    act(() => notify.undoable('Discarded a post', { steps: [restore(ID)], refresh: ['completed'] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone: Discarded a post')).toBeVisible();
    expect(api.calls('POST', `/api/things/${ID}/restore`)).toHaveLength(1);
    expect(read).toHaveBeenCalledWith({ queryKey: ['completed'] });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('shows why a change cannot be undone', async () => {
    new FakeApi().fail('POST /api/things/*/restore', 'The post is already published', 409);
    start();
    act(() => notify.undoable('Discarded a post', { steps: [restore(ID)], refresh: [] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Undo failed: The post is already published');
  });

  it('undoes the other items of a bulk change when one fails', async () => {
    const [gone, there] = [ID, ID.replace('6f', '7a')];
    const made = (id: string) => [
      { route: { method: 'POST', path: '/api/things/:id/queue' } as const, params: { id } },
      { route: { method: 'PUT', path: '/api/queue/:id/priority' } as const, params: { id: ':made' }, body: { priority: 3 } },
    ];
    const api = new FakeApi()
      .fail(`POST /api/things/${gone}/queue`, 'The post is already published', 409)
      .on(`POST /api/things/${there}/queue`, { success: true, data: { _id: there } })
      .on('PUT /api/queue/*/priority', { success: true, message: 'Done' });
    start();
    act(() => notify.undoable('2 posts removed from the queue', { steps: [...made(gone), ...made(there)], refresh: [] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Undo failed: The post is already published');
    expect(api.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /api/things/${gone}/queue`,
      `POST /api/things/${there}/queue`,
      `PUT /api/queue/${there}/priority`,
    ]);
  });

  it('reappears after a reload, until its undo time has passed', async () => {
    jest.useFakeTimers();
    start();
    act(() => notify.undoable('Discarded a post', { steps: [restore(ID)], refresh: [] }));
    act(() => restoreNotifications());
    expect(screen.getByRole('button', { name: 'Undo' })).toBeEnabled();
    act(() => jest.advanceTimersByTime(10_001));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    act(() => restoreNotifications());
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});

it('stays visible to screen readers while a dialog is open', async () => {
  const client = new QueryClient();
  const shown = (open: boolean) => (
    <QueryClientProvider client={client}>
      <Dialog open={open}>A question</Dialog>
      <NotificationStack />
    </QueryClientProvider>
  );
  const { rerender } = render(shown(false));
  act(() => notify.success('Added'));
  rerender(shown(true));
  act(() => notify.success('Saved'));
  await waitFor(() => expect(screen.getAllByRole('status', { hidden: false })).toHaveLength(2));
});

it('does not claim in the menu that there are no failures if they could not be loaded', async () => {
  new FakeApi().fail('GET /api/failures', 'The database is not reachable', 503);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <NotificationMenu />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Failures and notifications/u }));
  expect(await screen.findByText('Unknown: the failures could not be loaded')).toBeVisible();
  expect(screen.queryByText('No unseen failures')).toBeNull();
});

describe('the duration of a notification', () => {
  it.each([
    [5, 5_000],
    [10, 10_000],
  ])('is %d seconds as preferred', (noticeSeconds, ms) => {
    setPreferences({ noticeSeconds });
    jest.useFakeTimers();
    start();
    act(() => notify.success('Saved'));
    act(() => jest.advanceTimersByTime(ms - 1));
    expect(screen.getByText('Saved')).toBeVisible();
    act(() => jest.advanceTimersByTime(2));
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('is unlimited as preferred', async () => {
    setPreferences({ noticeSeconds: 0 });
    jest.useFakeTimers();
    start();
    act(() => notify.success('Saved'));
    act(() => jest.advanceTimersByTime(3_600_000));
    expect(screen.getByText('Saved')).toBeVisible();
    jest.useRealTimers();
    await userEvent.click(screen.getByRole('button', { name: 'Close notice' }));
    expect(screen.queryByText('Saved')).toBeNull();
  });
});
