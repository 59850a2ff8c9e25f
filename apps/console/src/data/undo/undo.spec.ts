import { FakeApi } from '../../testing/fake-api';
import { keepToken } from '../session/session-token';
import { CREATED_ID, runUndo, type UndoStep } from './undo';

const ID = '6f0f6f3e-4c5f-4a43-9b0e-6f0f6f3e4c5f';
const create: UndoStep = { route: { method: 'POST', path: '/api/things' } };
const change: UndoStep = { route: { method: 'PUT', path: '/api/things/:id' }, params: { id: CREATED_ID }, body: { priority: 3 } };
const restore: UndoStep = { route: { method: 'POST', path: '/api/restore' } };

beforeEach(() => keepToken('test-token'));

describe('runUndo', () => {
  it('passes the id that a step created to the next step', async () => {
    const api = new FakeApi().on('POST /api/things', { success: true, data: { _id: ID } }).on('PUT /api/things/*', { success: true });
    expect([...(await runUndo([create, change]))]).toEqual([]);
    expect(api.calls('PUT', `/api/things/${ID}`)).toMatchObject([{ body: { priority: 3 } }]);
  });

  it('skips steps that need the id of a failed step, and runs the others', async () => {
    const api = new FakeApi().fail('POST /api/things', 'Already posted', 409).on('POST /api/restore', { success: true });
    expect([...(await runUndo([create, change, restore]))]).toEqual(['Already posted']);
    expect(api.requests.map(({ path }) => path)).toEqual(['/api/things', '/api/restore']);
  });

  it('reports each distinct error once', async () => {
    new FakeApi().fail('POST /api/restore', 'Already posted', 409);
    expect([...(await runUndo([restore, restore]))]).toEqual(['Already posted']);
  });

  it('stops when the server is unreachable', async () => {
    const fetch = jest.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    globalThis.fetch = fetch as never;
    expect([...(await runUndo([restore, restore]))]).toEqual(['The server could not be reached']);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
