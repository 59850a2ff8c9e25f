import { contentDetailsSample, contentItemSample, type ContentItem } from '@autoposter/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const OTHER: ContentItem = { ...contentItemSample, id: contentItemSample.id.replace(/.$/u, 'f'), title: 'A heron lands' };
const LONG = 'x'.repeat(140);
const ITEMS = [contentItemSample, OTHER];

const start = () =>
  new FakeApi()
    .on('GET /api/ai/completed', { success: true, data: ITEMS })
    .on('GET /api/instagram/config', { success: true, data: { isConfigured: true } })
    .on('PUT /api/ai/discard/*', { success: true, message: 'Done' })
    .reply('GET /api/content/*', ({ path }) => {
      const item = ITEMS.find(({ id }) => path.endsWith(id)) ?? contentItemSample;
      const comments = Array.from({ length: 5 }, (_none, index) => ({
        id: `c${index}`,
        author: `a${index}`,
        score: 1,
        body: LONG,
        replies: [],
      }));
      return { body: { success: true, data: { ...contentDetailsSample, ...item, commentsData: { topComments: comments } } } };
    });
const open = async () => {
  const rendered = renderScreen('/admin/processed?view=reels');
  await screen.findByText('1 / 2');
  return rendered;
};

const HEIGHT = 100;

/** Gives elements a height; the returned mock receives their scrolls. */
function mockScrolling(): jest.Mock {
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(HEIGHT);
  const scrolled = jest.fn();
  HTMLElement.prototype.scrollTo = scrolled as typeof HTMLElement.prototype.scrollTo;
  return scrolled;
}

/** Time passes only while `waitFor` waits, so that no scroll comes to rest between two actions of a test. */
const stopTime = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  Reflect.deleteProperty(HTMLElement.prototype, 'scrollTo');
});

describe('Reels mode', () => {
  it('shows three comments and variations, truncated when long', async () => {
    start();
    await open();
    expect(await screen.findAllByText(`${'x'.repeat(120)}…`)).toHaveLength(3);
    expect(screen.getAllByRole('button', { name: 'Use as Caption' })).toHaveLength(6);
  });

  it('preloads the adjacent videos, plays only the current one, and is muted at first', async () => {
    const played = jest.spyOn(HTMLMediaElement.prototype, 'play');
    start();
    await open();
    const shown = screen.getByLabelText(contentItemSample.title, { selector: 'video' }) as HTMLVideoElement;
    const ahead = screen.getByLabelText(OTHER.title, { selector: 'video' });
    expect([shown.muted, ahead.getAttribute('preload')]).toEqual([true, 'auto']);
    expect(played.mock.contexts).toEqual([shown]);
  });

  it('does not autoplay when reduced motion is requested', async () => {
    const was = window.matchMedia;
    window.matchMedia = (query) => ({ ...was(query), matches: query.includes('reduced-motion') });
    const played = jest.spyOn(HTMLMediaElement.prototype, 'play');
    played.mockClear();
    start();
    await open();
    expect(played).not.toHaveBeenCalled();
    window.matchMedia = was;
  });

  it('moves by one post for each of several keys that are pressed at once', async () => {
    start().on('GET /api/ai/completed', {
      success: true,
      data: [...ITEMS, ...['d', 'e'].map((end) => ({ ...OTHER, id: OTHER.id.replace(/.$/u, end) }))],
    });
    renderScreen('/admin/processed?view=reels');
    const reels = await screen.findByText('1 / 4');
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
    environment.IS_REACT_ACT_ENVIRONMENT = false;
    for (let press = 0; press < 3; press += 1) {
      reels.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      // Microtasks only: no render that React has merely scheduled.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
    environment.IS_REACT_ACT_ENVIRONMENT = true;
    expect(await screen.findByText('4 / 4')).toBeVisible();
  });

  it('remembers the sound, pauses with Space, and discards with a key', async () => {
    start();
    const { user } = await open();
    const video = screen.getByLabelText(contentItemSample.title, { selector: 'video' }) as HTMLVideoElement;
    await user.keyboard('m');
    await waitFor(() => expect(video.muted).toBe(false));
    expect(screen.getByRole('button', { name: 'Sound' })).toHaveAttribute('aria-pressed', 'true');
    const played = jest.spyOn(video, 'play');
    act(() => screen.getByRole('dialog').focus());
    await user.keyboard(' ');
    expect(played).toHaveBeenCalled();
    await user.keyboard('d');
    expect(await screen.findByText('1 / 1')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'A heron lands' })).toBeVisible();
  });

  it('finishes an interrupted programmatic scroll and follows a user scroll', async () => {
    const scrolled = mockScrolling();
    start();
    const { user } = await open();
    stopTime();
    const stage = screen.getByRole('group', { name: 'Reels' });
    await user.click(screen.getByRole('button', { name: 'Next post' }));
    expect(await screen.findByText('2 / 2')).toBeVisible();
    stage.scrollTop = 30;
    fireEvent.scroll(stage);
    await waitFor(() => expect(scrolled).toHaveBeenLastCalledWith({ top: HEIGHT, behavior: 'instant' }));
    expect(screen.getByText('2 / 2')).toBeVisible();
    fireEvent.wheel(stage);
    stage.scrollTop = 0;
    fireEvent.scroll(stage);
    expect(await screen.findByText('1 / 2')).toBeVisible();
  });

  it.each([
    ['towards it', 80, 70],
    ['away from it', 80, HEIGHT],
  ])('scrolls to the post of the last key while an earlier scroll passes %s', async (_where, atPrevious, atNext) => {
    const scrolled = mockScrolling();
    start();
    const { user } = await open();
    stopTime();
    const stage = screen.getByRole('group', { name: 'Reels' });
    await user.click(screen.getByRole('button', { name: 'Next post' }));
    stage.scrollTop = atPrevious;
    await user.click(screen.getByRole('button', { name: 'Previous post' }));
    stage.scrollTop = atNext;
    await user.click(screen.getByRole('button', { name: 'Next post' }));
    expect(scrolled).toHaveBeenLastCalledWith({ top: HEIGHT, behavior: 'smooth' });
    stage.scrollTop = 70;
    await waitFor(() => expect(scrolled).toHaveBeenLastCalledWith({ top: HEIGHT, behavior: 'instant' }));
    expect(screen.getByText('2 / 2')).toBeVisible();
  });

  it('asks before leaving an unsaved caption', async () => {
    start();
    const { user, router } = await open();
    await user.keyboard('e');
    await user.type(await screen.findByLabelText('Caption'), ' More.');
    await user.click(screen.getByRole('button', { name: 'Next post' }));
    const question = await screen.findByRole('alertdialog', { name: 'Leave without saving the caption?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('1 / 2')).toBeVisible();
    expect(screen.getByLabelText('Caption')).toHaveValue(`${contentItemSample.aiContent?.caption ?? ''} More.`);
    await user.click(screen.getByRole('button', { name: 'Next post' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Leave' }));
    expect(await screen.findByText('2 / 2')).toBeVisible();
    expect(router.state.location.search).toContain(OTHER.id);
  });
});
