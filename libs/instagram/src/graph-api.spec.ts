import { exchange } from './graph-api';

const answering = (text: string) => (() => Promise.resolve(new Response(text))) as unknown as typeof fetch;

describe('what people wrote', () => {
  it('loses what no database keeps, and nothing else', async () => {
    const text = '{"title":"a\\u0000b \\ud83d c \\ud83d\\ude00 d 😀","deep":[{"body":"\\udc00"}],"n":1}';
    const { json } = await exchange(answering(text), { url: 'http://127.0.0.1/', method: 'GET', headers: {} }, 1000);
    expect(json).toEqual({ title: 'ab \ufffd c 😀 d 😀', deep: [{ body: '\ufffd' }], n: 1 });
  });
});
