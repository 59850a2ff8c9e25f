import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import Dialog from '@mui/material/Dialog';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { forgetPreferences, setPreferences } from '../../preferences/preferences';
import { keepToken } from '../../data/session/session-token';
import { FakeApi } from '../../testing/fake-api';
import { clearNotifications, notify, restoreNotifications } from '../../ui/notifications';
import { NotificationStack } from './notification-stack';

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
  forgetPreferences();
  clearNotifications();
  keepToken('test-token');
});
afterEach(() => jest.useRealTimers());

describe('a notice with a way back', () => {
  it('makes the reverse call, reads anew what it changed, and says so', async () => {
    const api = new FakeApi().on('POST /api/things/*/restore', { success: true, message: 'Done' });
    const read = jest.spyOn(start(), 'invalidateQueries');
    act(() => notify.undoable('Discarded a post', { steps: [restore(ID)], refresh: ['completed'] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Undone: Discarded a post')).toBeVisible();
    expect(api.calls('POST', `/api/things/${ID}/restore`)).toHaveLength(1);
    expect(read).toHaveBeenCalledWith({ queryKey: ['completed'] });
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('says why a change cannot be taken back', async () => {
    new FakeApi().fail('POST /api/things/*/restore', 'The post is out already', 409);
    start();
    act(() => notify.undoable('Discarded a post', { steps: [restore(ID)], refresh: [] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be undone: The post is out already');
  });

  it('brings back the others where one of many cannot be brought back', async () => {
    const [gone, there] = [ID, ID.replace('6f', '7a')];
    const made = (id: string) => [
      { route: { method: 'POST', path: '/api/things/:id/queue' } as const, params: { id } },
      { route: { method: 'PUT', path: '/api/queue/:id/priority' } as const, params: { id: ':made' }, body: { priority: 3 } },
    ];
    const api = new FakeApi()
      .fail(`POST /api/things/${gone}/queue`, 'The post is out already', 409)
      .on(`POST /api/things/${there}/queue`, { success: true, data: { _id: there } })
      .on('PUT /api/queue/*/priority', { success: true, message: 'Done' });
    start();
    act(() => notify.undoable('2 posts taken out of the queue', { steps: [...made(gone), ...made(there)], refresh: [] }));
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be undone: The post is out already');
    expect(api.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `POST /api/things/${gone}/queue`,
      `POST /api/things/${there}/queue`,
      `PUT /api/queue/${there}/priority`,
    ]);
  });

  it('is there again after the page was loaded anew, but not for ever', async () => {
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

it('is read out while a dialog is open, though another notice was there before the dialog', async () => {
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

describe('how long a notice stays', () => {
  it.each([
    [5, 5_000],
    [10, 10_000],
  ])('%d seconds when chosen', (noticeSeconds, ms) => {
    setPreferences({ noticeSeconds });
    jest.useFakeTimers();
    start();
    act(() => notify.success('Saved'));
    act(() => jest.advanceTimersByTime(ms - 1));
    expect(screen.getByText('Saved')).toBeVisible();
    act(() => jest.advanceTimersByTime(2));
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('until it is closed when chosen', async () => {
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
