import { apiSamples, queueItemSample, queueStatusSample, type QueueItem, type QueueStatusView } from '@autoposter/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi, type RecordedRequest } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-app';
import { addDays, dayOf, instantAt, weekOf } from './calendar-days';

const today = dayOf(new Date(), 'UTC');
/** Days after the Sunday before the next week: 1 is its Monday, so that all days lie in one week on any date. */
const day = (days: number) => addDays(weekOf(addDays(today, 7))[0] ?? today, days - 1);
const at = (days: number, minute: number) => instantAt(day(days), minute, 'UTC').toISOString();

const post = (number: number, title: string, status: QueueItem['status'], scheduledFor: string | null): QueueItem => ({
  ...queueItemSample,
  _id: queueItemSample._id.replace(/.$/u, number.toString(16)),
  status,
  sourceData: { ...queueItemSample.sourceData, postTitle: title },
  scheduling: { ...queueItemSample.scheduling, scheduledFor },
});
const fog = post(1, 'Fog', 'scheduled', at(1, 607));
const unscheduled = post(2, 'Loose', 'pending', null);
const out = post(3, 'Out', 'posted', at(1, 480));
const broken: QueueItem = {
  ...post(4, 'Broken', 'failed', at(1, 300)),
  failure: { message: 'The token expired.', nextAction: 'Renew it.' },
};

const start = (posts: QueueItem[] = [fog, unscheduled, out, broken], status: Partial<QueueStatusView> = {}) =>
  new FakeApi()
    .reply('GET /api/instagram-queue', ({ query }: RecordedRequest) => {
      const found = posts.filter((one) => one.status === query['status']);
      const pagination = { currentPage: 1, totalPages: 1, totalCount: found.length, hasPrevPage: false, hasNextPage: false };
      return { body: { success: true, data: { posts: found, pagination } } };
    })
    .on('GET /api/instagram-queue/status', { success: true, data: { ...queueStatusSample, hold: null, ...status } })
    .on('GET /api/instagram-queue/statistics', apiSamples.instagramQueue.statistics.response)
    .on('PUT /api/instagram-queue/*/schedule', apiSamples.instagramQueue.setSchedule.response)
    .on('POST /api/instagram-queue/*/retry', apiSamples.instagramQueue.retry.response);

const open = (view: 'week' | 'month', days = 1) => renderScreen(`/admin/instagram-queue?view=${view}&day=${day(days)}`);
const chip = (name: string | RegExp) => screen.findByRole('button', { name });
const focus = async (name: RegExp) => {
  const found = await chip(name);
  act(() => found.focus());
};
/** jsdom has no PointerEvent; a MouseEvent of that name carries the same fields. */
const pointer = (target: Element | Window, type: string, clientX: number, clientY: number) =>
  fireEvent(target, new MouseEvent(type, { bubbles: true, button: 0, clientX, clientY }));
const moved = (api: FakeApi, item: QueueItem) => api.calls('PUT', `/api/instagram-queue/${item._id}/schedule`).map(({ body }) => body);

describe('queue calendar', () => {
  it('shows posts by week and month, keeps the view in the URL, and names the time zone', async () => {
    start();
    const { user, router } = renderScreen('/admin/instagram-queue');
    await user.click(await screen.findByRole('button', { name: 'Week' }));
    expect(router.state.location.search).toBe('?view=week');
    await screen.findByRole('region', { name: 'Queue calendar' });
    expect(screen.getByText('All times are in UTC.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next week' }));
    expect(router.state.location.search).toBe(`?view=week&day=${addDays(today, 7)}`);
    await user.click(screen.getByRole('button', { name: 'Month' }));
    await user.click(screen.getByRole('button', { name: 'Today' }));
    expect(router.state.location.search).toBe(`?view=month&day=${today}`);
    expect(within(screen.getByRole('group', { name: 'Unscheduled' })).getByRole('button', { name: /Loose/u })).toBeVisible();
  });

  it('moves a post by keyboard in steps of five minutes and days', async () => {
    const api = start();
    const { user } = open('week');
    await focus(/10:07 Fog, scheduled/u);
    await user.keyboard(' {ArrowDown}{ArrowRight}{PageDown}{Enter}');
    await waitFor(() => expect(moved(api, fog)).toEqual([{ scheduledFor: at(2, 670) }]));
    expect(await screen.findByText(/^Fog moved to /u, { selector: '[aria-live]' })).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: /Undo/u })).toBeVisible();
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-queue-item', fog._id));
  });

  it('cancels a move with Escape and restores the focus', async () => {
    const api = start();
    const { user } = open('month');
    await focus(/10:07 Fog/u);
    await user.keyboard(' {ArrowRight}{Escape}');
    expect(await screen.findByText('Fog was not moved', { selector: '[aria-live]' })).toBeInTheDocument();
    expect(await chip(/10:07 Fog/u)).toHaveFocus();
    expect(moved(api, fog)).toEqual([]);
  });

  it('refuses published posts, past times and blocked hours, each with its reason', async () => {
    const api = start(undefined, { timeBlocking: { enabled: true, startTime: '11:00', endTime: '12:00', timeZone: 'UTC' } });
    const { user } = open('week');
    expect(screen.queryAllByText(/Blocked/u)).toHaveLength(0);
    await focus(/Out, posted/u);
    await user.keyboard(' ');
    expect((await screen.findAllByText('This post was already published and cannot be moved.')).length).toBeGreaterThan(0);
    await focus(/Fog/u);
    await user.keyboard(' {PageDown}{Enter}');
    expect((await screen.findAllByText(/Nothing is posted between 11:00–12:00 \(UTC\)/u)).length).toBeGreaterThan(0);
    await focus(/Fog/u);
    await user.keyboard(' {ArrowLeft>9/}{Enter}');
    expect((await screen.findAllByText('This time has passed; choose a later one.')).length).toBeGreaterThan(0);
    expect(screen.getByText('Blocked 11:00–12:00 (UTC)')).toBeVisible();
    expect(document.querySelectorAll('[data-blocked]')).toHaveLength(7);
    expect(moved(api, fog)).toEqual([]);
  });

  it('keeps the time of day when a post is wasDragged to another day of the month', async () => {
    const api = start();
    open('month');
    const fogChip = await chip(/10:07 Fog/u);
    document.elementsFromPoint = () => [document.querySelector(`[data-day="${day(3)}"]`) as Element];
    pointer(fogChip, 'pointerdown', 10, 10);
    pointer(window, 'pointermove', 90, 40);
    expect(document.querySelector('[data-drop-preview="free"]')).not.toBeNull();
    pointer(window, 'pointerup', 90, 40);
    fireEvent.click(fogChip);
    await waitFor(() => expect(moved(api, fog)).toEqual([{ scheduledFor: at(3, 607) }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('scrolls at the edges during a drag and drops the post at the scrolled position', async () => {
    const api = start();
    open('week');
    const fogChip = await chip(/10:07 Fog/u);
    const hours = document.querySelector<HTMLElement>('[data-scrolls]') as HTMLElement;
    const column = document.querySelector<HTMLElement>(`[data-day="${day(1)}"]`) as HTMLElement;
    const frame = (top: number, height: number) => ({ top, height, bottom: top + height }) as DOMRect;
    hours.getBoundingClientRect = () => frame(0, 480);
    column.getBoundingClientRect = () => frame(-hours.scrollTop, 1440);
    document.elementsFromPoint = () => [column];
    pointer(fogChip, 'pointerdown', 10, 20);
    pointer(window, 'pointermove', 10, 470);
    await waitFor(() => expect(hours.scrollTop).toBeGreaterThan(100));
    pointer(window, 'pointermove', 10, 240);
    const { scrollTop } = hours;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(hours.scrollTop).toBe(scrollTop);
    pointer(window, 'pointerup', 10, 240);
    // The item was pressed 20 pixels below its top edge; one pixel of the column is one minute.
    const minute = Math.round((scrollTop + 240 - 20) / 5) * 5;
    await waitFor(() => expect(moved(api, fog)).toEqual([{ scheduledFor: at(1, minute) }]));
  });

  it('rolls a move back when the server refuses it', async () => {
    const api = start().fail('PUT /api/instagram-queue/*/schedule', 'This post is posting and can no longer be changed.', 409);
    const { user } = open('month');
    await focus(/10:07 Fog/u);
    await user.keyboard(' {ArrowRight}{Enter}');
    expect(await screen.findByText('Error: This post is posting and can no longer be changed.')).toBeVisible();
    expect(moved(api, fog)).toHaveLength(1);
    const cell = document.querySelector<HTMLElement>(`[data-day="${day(1)}"]`) as HTMLElement;
    await waitFor(() => expect(within(cell).getByRole('button', { name: /Fog/u })).toBeVisible());
  });

  it('moves a post through its dialog in the time zone of the queue', async () => {
    const api = start();
    const { user } = open('week');
    await user.click(await chip(/Fog/u));
    await user.click(await screen.findByRole('button', { name: 'Move to…' }));
    const field = await screen.findByLabelText('Time (UTC)');
    fireEvent.change(field, { target: { value: `${addDays(today, -1)}T10:00` } });
    expect(screen.getByText('This time has passed; choose a later one.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Move' })).toBeDisabled();
    fireEvent.change(field, { target: { value: `${day(4)}T09:15` } });
    await user.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(moved(api, fog)).toEqual([{ scheduledFor: at(4, 555) }]));
  });

  it('keeps the second occurrence of a time when its dialog is submitted unchanged', async () => {
    const second = '2035-10-28T01:30:00.000Z';
    const post: QueueItem = { ...fog, scheduling: { ...fog.scheduling, scheduledFor: second } };
    const api = start([post], { timeBlocking: { enabled: false, startTime: '00:00', endTime: '06:00', timeZone: 'Europe/Berlin' } });
    const { user } = renderScreen('/admin/instagram-queue?view=week&day=2035-10-28');
    await user.click(await chip(/Fog/u));
    await user.click(await screen.findByRole('button', { name: 'Move to…' }));
    expect(await screen.findByLabelText('Time (Europe/Berlin)')).toHaveValue('2035-10-28T02:30');
    await user.click(screen.getByRole('button', { name: 'Move' }));
    await waitFor(() => expect(moved(api, post)).toEqual([{ scheduledFor: second }]));
  });

  it('moves by one week for each of two quick clicks', async () => {
    start();
    const { router } = renderScreen('/admin/instagram-queue?view=week&day=2035-10-28');
    const next = await screen.findByRole('button', { name: 'Next week' });
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    for (let click = 0; click < 2; click += 1) {
      next.click();
      // Microtasks only: no render that React has merely scheduled.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
    environment.IS_REACT_ACT_ENVIRONMENT = true;
    await waitFor(() => expect(router.state.location.search).toBe('?view=week&day=2035-11-11'));
  });

  it('shows a load error and retries', async () => {
    start().fail('GET /api/instagram-queue', 'The database is away');
    const { user } = open('month');
    const frame = within(await screen.findByRole('group', { name: 'Queue calendar' }));
    expect(frame.getByText('Error: The database is away')).toBeVisible();
    start();
    await user.click(frame.getByRole('button', { name: 'Try Again' }));
    expect(await chip(/10:07 Fog/u)).toBeVisible();
  });

  it('shows why a post failed and retries it', async () => {
    const api = start();
    const { user } = open('week');
    await user.click(await chip(/Broken, failed/u));
    const dialog = await screen.findByRole('dialog', { name: 'Broken' });
    expect(within(dialog).getByText(/The token expired\. Renew it\./u)).toBeVisible();
    expect(within(dialog).queryByRole('button', { name: 'Move to…' })).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(api.calls('POST', `/api/instagram-queue/${broken._id}/retry`)).toHaveLength(1));
  });
});
