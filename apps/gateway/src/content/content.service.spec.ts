import type { ItemPresenter } from '../items/item.presenter';
import { contentItem, FakeDatabase, minutesFromNow, NOW, stageJob } from '@autoposter/testkit';
import { ContentService } from './content.service';
import { asReply } from '../testing/as-reply';

const presenter = {
  content: (row: object) => row,
  details: (row: object, timeline: object) => ({ ...row, timeline }),
} as unknown as ItemPresenter;

function arrange(stubs: Record<string, unknown> = {}) {
  const fake = new FakeDatabase({ 'itemLists.find': { id: 'item-1' }, 'rights.decisionOf': null, 'jobs.ofItem': [], ...stubs });
  return { fake, service: new ContentService(fake.database, presenter) };
}

describe('ContentService.details', () => {
  it('reports a finished job with its failed attempts', async () => {
    const ending = { at: NOW.toISOString(), attempt: 1, outcome: 'retrying', step: 'x', failure: { kind: 'transient', message: 'No.' } };
    const job = stageJob({
      state: 'done',
      attempts: 2,
      startedAt: minutesFromNow(1),
      finishedAt: minutesFromNow(2),
      history: [ending as never],
    });
    const { service } = arrange({ 'jobs.ofItem': [{ ...job, dueAt: NOW, waitReason: 'stale' }] });
    const { stages } = await service.details('item-1');
    expect(stages?.[0]).toMatchObject({
      state: 'done',
      attempts: 2,
      dueAt: null,
      waitReason: null,
      endings: [{ attempt: 1, message: 'No.' }],
    });
  });

  it('reports the first request of a job that waited and was requested again', async () => {
    const job = stageJob({
      state: 'waiting',
      requestedAt: minutesFromNow(9),
      startedAt: NOW,
      dueAt: minutesFromNow(20),
      waitReason: 'quota',
    });
    const { service } = arrange({ 'jobs.ofItem': [job] });
    const { stages } = await service.details('item-1');
    expect(stages?.[0]).toMatchObject({ requestedAt: NOW.toISOString(), dueAt: minutesFromNow(20).toISOString(), waitReason: 'quota' });
  });

  it.each([
    ['clock', 'scheduler'],
    ['scheduler', 'scheduler'],
    ['admin@example.com', 'admin@example.com'],
    [null, null],
  ])('shows the actor %s of the timeline as %s', async (stored, actor) => {
    const event = { seq: 1, type: 'item.queued', stage: null, state: 'queued', reason: null, actor: stored, occurredAt: NOW };
    const { service } = arrange({ 'history.ofItem': [event] });
    expect((await service.details('item-1')).timeline).toEqual([{ ...event, actor, occurredAt: NOW.toISOString() }]);
  });

  it('refuses an unknown item', async () => {
    const { service } = arrange({ 'itemLists.find': null });
    await expect(asReply(service.details('item-1'))).rejects.toMatchObject({ status: 404 });
    await expect(asReply(service.item('item-1'))).rejects.toMatchObject({ status: 404 });
  });
});

describe('ContentService.restore', () => {
  const discarded = { 'items.findForUpdate': () => contentItem({ state: 'discarded' }) };
  const history = [
    { type: 'item.edited', state: 'ready' },
    { type: 'item.discarded', state: 'discarded' },
  ];

  it.each([
    ['the state before it was discarded', { 'history.ofItem': history }, 'ready'],
    ['ready if only its caption is known', { 'captions.of': { caption: 'x' } }, 'ready'],
    ['protected if only its processed file is known', { 'media.ofItem': [{ role: 'processed' }] }, 'protected'],
    ['downloaded if only its original file is known', { 'media.ofItem': [{ role: 'original' }] }, 'downloaded'],
  ] as const)('restores %s', async (_what, stubs, state) => {
    const { fake, service } = arrange({ ...discarded, ...stubs });
    await service.restore('item-1', 'admin@example.com');
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ from: 'discarded', to: state });
    expect([fake.events, fake.auditActions]).toMatchObject([[{ type: 'item.restored', state }], ['item.restore']]);
  });

  it.each([
    ['an item that is not discarded', { 'items.findForUpdate': contentItem({ state: 'ready' }) }, 409],
    ['a deleted item', { 'items.findForUpdate': contentItem({ state: 'deleted' }) }, 404],
    [
      'an item that matches a rights claim',
      { ...discarded, 'history.ofItem': history, 'rights.findMatches': [{ kind: 'claim', title: 'A film', strength: 'block' }] },
      409,
    ],
    ['an item that a concurrent writer moved', { ...discarded, 'items.transition': false }, 409],
  ] as const)('refuses %s', async (_what, stubs, status) => {
    const { fake, service } = arrange(stubs);
    await expect(asReply(service.restore('item-1', 'admin@example.com'))).rejects.toMatchObject({ status });
    expect(fake.auditActions).toEqual([]);
  });

  it('restores an item that only resembles a claimed work for review, with the match to answer', async () => {
    const match = {
      kind: 'claim',
      id: 'claim-1',
      title: 'A film',
      by: 'pdq',
      distance: 30,
      matched: 1,
      compared: 4,
      file: 0,
      strength: 'flag',
    };
    const { fake, service } = arrange({ ...discarded, 'history.ofItem': history, 'rights.findMatches': [match] });
    await service.restore('item-1', 'admin@example.com');
    const reviewReasons = [expect.objectContaining({ code: 'resembles_work' })];
    expect(fake.argsOf('items.transition')[0]?.[1]).toMatchObject({ to: 'ready', patch: { needsReview: true, reviewReasons } });
    expect(fake.argsOf('rights.addMatches')[0]).toMatchObject(['item-1', { verdict: 'flagged', matches: [match] }]);
  });

  it('keeps an item discarded whose author is claimed', async () => {
    const target = { kind: 'author', key: 'reddit:an_author' };
    const claim = { id: 'claim-1', title: 'All of it', target, allowed: [] };
    const item = () => contentItem({ state: 'discarded', author: 'an_author' });
    const { fake, service } = arrange({ 'items.findForUpdate': item, 'history.ofItem': history, 'claims.onTargets': [claim] });
    await expect(asReply(service.restore('item-1', 'admin@example.com'))).rejects.toMatchObject({ status: 409 });
    expect(fake.auditActions).toEqual([]);
  });
});
