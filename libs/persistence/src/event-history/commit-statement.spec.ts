import type { Envelope } from '@autoposter/contracts';
import { commitStatement } from './commit-statement';

const message = { topic: 't', key: 'k', envelope: { id: 'message-1' } as Envelope };
const event = { type: 'item.edited', subjectId: 's', itemId: 's', id: 'event-1', correlationId: 'c', traceparent: null } as const;

describe('commitStatement', () => {
  it('returns no statement without events and messages', () => {
    expect(commitStatement([], [])).toEqual({ events: 0, messages: 0, statement: null });
  });

  it('writes only the outbox without events', () => {
    const { events, messages, statement } = commitStatement([], [message]);
    expect([events, messages]).toEqual([0, 1]);
    expect(statement?.text).not.toContain('event_history');
    expect(JSON.parse(statement?.values[0] as string)).toEqual([{ id: 'message-1', topic: 't', key: 'k', envelope: message.envelope }]);
  });

  it('numbers events and writes no outbox row for them without a reader of facts', () => {
    const alone = commitStatement([event], []);
    expect([alone.events, alone.messages]).toEqual([1, 0]);
    expect(alone.statement?.text).not.toContain('outbox');
    expect(JSON.parse(alone.statement?.values[0] as string)).toEqual([{ ...event, actor: 'system' }]);
    const beside = commitStatement([event], [message]);
    expect([beside.events, beside.messages]).toEqual([1, 1]);
    expect(beside.statement?.text).not.toContain('pipeline.facts');
    expect(JSON.parse(beside.statement?.values[1] as string)).toHaveLength(1);
  });

  it('publishes each event as a fact beside the messages where facts are published', () => {
    const { events, messages, statement } = commitStatement([event], [message], true);
    expect([events, messages]).toEqual([1, 2]);
    expect(statement?.text).toContain("nextval('event_history_numbers')");
    expect(JSON.parse(statement?.values[0] as string)).toEqual([
      {
        ...event,
        actor: 'system',
        fact: {
          id: 'event-1',
          type: 'item.edited',
          subjectId: 's',
          correlationId: 'c',
          causationId: null,
          traceparent: null,
          payload: { seq: 0, itemId: 's', stage: null, state: null, reason: null },
        },
      },
    ]);
    expect(JSON.parse(statement?.values[1] as string)).toHaveLength(1);
  });
});
