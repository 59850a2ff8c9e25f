import { PipelineError } from '@autoposter/domain';
import { HttpServerFake, respond as json } from '@autoposter/resilience';
import { InstagramPostSource } from './instagram-post-source';
import { InstagramPublisher } from './instagram-publisher';

const ACCOUNT = '17841400000000001';
let graph: HttpServerFake;
beforeAll(async () => {
  graph = await new HttpServerFake().start();
});
afterAll(() => graph.stop());
beforeEach(() => {
  graph.reset();
});

const source = (accessToken: string) =>
  new InstagramPostSource(
    new InstagramPublisher({
      graphUrl: graph.origin,
      uploadUrl: graph.origin,
      apiVersion: 'v26.0',
      accessToken,
      accountId: ACCOUNT,
      timeoutMs: 2000,
    }),
  );
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: PipelineError) => [error.failure.kind, error.failure.code],
  );

const own = {
  data: [
    {
      id: '1',
      shortcode: 'OWNcode1',
      permalink: 'https://www.instagram.com/reel/OWNcode1/',
      caption: '\nMine!\nmore #a',
      media_type: 'VIDEO',
      media_product_type: 'REELS',
      media_url: 'https://cdn.example/1.mp4',
      timestamp: '2026-07-26T10:45:19+0000',
      username: 'me',
      like_count: 7,
    },
    { id: '2', shortcode: 'OWNwith', media_type: 'VIDEO', timestamp: '2026-07-26T10:45:19+0000' },
    {
      id: '3',
      shortcode: 'OWNalbum',
      media_type: 'CAROUSEL_ALBUM',
      media_url: 'https://cdn.example/cover.jpg',
      timestamp: '2026-07-26T10:45:19+0000',
      children: {
        data: [
          { id: 'a', media_type: 'IMAGE', media_url: 'https://cdn.example/a.jpg' },
          { id: 'b', media_type: 'VIDEO', media_url: 'https://cdn.example/b.mp4' },
        ],
      },
    },
    {
      id: '4',
      shortcode: 'OWNhalf1',
      media_type: 'CAROUSEL_ALBUM',
      timestamp: '2026-07-26T10:45:19+0000',
      children: {
        data: [
          { id: 'a', media_type: 'IMAGE', media_url: 'https://cdn.example/a.jpg' },
          { id: 'b', media_type: 'VIDEO' },
        ],
      },
    },
    {
      id: '5',
      shortcode: 'OWNcover',
      media_type: 'CAROUSEL_ALBUM',
      media_url: 'https://cdn.example/cover.jpg',
      timestamp: '2026-07-26T10:45:19+0000',
    },
  ],
};
/** Opaque; base 64 with its whole alphabet here. */
const CURSOR = 'QVFIUm9+/x.y:z==';
const discovery = (after: string | null) => ({
  business_discovery: {
    media: {
      data:
        after === null
          ? [
              {
                id: '10',
                permalink: 'https://www.instagram.com/p/FOREIGN0/',
                media_type: 'IMAGE',
                media_url: 'https://cdn.example/0.jpg',
                timestamp: '2021-08-17T19:00:42+0000',
              },
            ]
          : [
              {
                id: '11',
                permalink: 'https://www.instagram.com/p/FOREIGN1/',
                caption: 'Theirs',
                media_type: 'IMAGE',
                media_url: 'https://cdn.example/1.jpg',
                timestamp: '2021-08-17T19:00:42+0000',
                like_count: 87,
              },
            ],
      ...(after === null ? { paging: { cursors: { after: CURSOR } } } : {}),
    },
    id: '17841407673135339',
  },
  id: ACCOUNT,
});
const serve = () => {
  graph.handler = (seen, response) => {
    const fields = seen.query.get('fields') ?? '';
    if (!fields.startsWith('business_discovery')) return json(response, 200, own);
    if (fields.includes('username(private)'))
      return json(response, 400, { error: { message: 'Invalid user id', code: 110, error_subcode: 2207013 } });
    return json(response, 200, discovery(fields.includes(`after(${CURSOR})`) ? CURSOR : null));
  };
};
beforeEach(serve);

test('an own post is found by its shortcode', async () => {
  const { post, topComments } = await source('IGtoken').resolve('https://www.instagram.com/reel/OWNcode1/?igsh=x');
  expect(post).toMatchObject({
    platform: 'instagram',
    sourceId: 'OWNcode1',
    title: 'Mine!',
    author: 'me',
    likes: 7,
    postType: 'video',
    createdAt: '2026-07-26T10:45:19.000Z',
    unfetchable: null,
  });
  expect(post.media).toEqual([expect.objectContaining({ kind: 'video', url: 'https://cdn.example/1.mp4' })]);
  expect(topComments).toEqual([]);
});

test('the oldest of many own posts is found', async () => {
  const PAGES = 60;
  graph.handler = (seen, response) => {
    const page = Number(seen.query.get('after') ?? 0);
    const isLast = page === PAGES - 1;
    const media = { ...own.data[0], shortcode: isLast ? 'OWNcode1' : `OWNother${page}` };
    json(response, 200, { data: [media], paging: { cursors: { after: String(page + 1) }, ...(isLast ? {} : { next: 'https://x' }) } });
  };
  const { post } = await source('IGtoken').resolve('https://www.instagram.com/reel/OWNcode1/');
  expect(post.sourceId).toBe('OWNcode1');
});

test('an album keeps its order', async () => {
  const { post } = await source('IGtoken').resolve('https://www.instagram.com/p/OWNalbum/');
  expect(post.postType).toBe('gallery');
  expect(post.media.map((file) => [file.kind, file.url])).toEqual([
    ['image', 'https://cdn.example/a.jpg'],
    ['video', 'https://cdn.example/b.mp4'],
  ]);
});

test('a professional account’s post is found by the name in the address, over pages', async () => {
  const { post } = await source('EAtoken').resolve('https://www.instagram.com/them/p/FOREIGN1/');
  expect(post).toMatchObject({ sourceId: 'FOREIGN1', author: 'them', title: 'Theirs', likes: 87, postType: 'image' });
});

test('a post behind the newest thousand of another account is not called unknown', async () => {
  let page = 0;
  graph.handler = (seen, response) => {
    if (!seen.query.get('fields')?.startsWith('business_discovery')) return json(response, 200, own);
    page += 1;
    const { media } = discovery(null).business_discovery;
    json(response, 200, { business_discovery: { media: { ...media, paging: { cursors: { after: `page${page}` } } } } });
  };
  expect(await refusal(source('EAtoken').resolve('https://www.instagram.com/them/p/FOREIGN1/'))).toEqual([
    'not_offered',
    'instagram_post_too_old',
  ]);
});

test.each([
  ['IGtoken', 'https://www.instagram.com/p/FOREIGN1/', ['not_offered', 'instagram_own_posts_only']],
  ['EAtoken', 'https://www.instagram.com/p/FOREIGN1/', ['not_offered', 'instagram_account_needed']],
  ['EAtoken', 'https://www.instagram.com/private/p/FOREIGN1/', ['not_offered', 'username_not_professional']],
  ['EAtoken', 'https://www.instagram.com/them/p/NOTTHERE/', ['not_found', 'instagram_post_unknown']],
  ['IGtoken', 'https://www.instagram.com/p/OWNwith/', ['not_offered', 'instagram_media_withheld']],
  ['IGtoken', 'https://www.instagram.com/p/OWNhalf1/', ['not_offered', 'instagram_media_withheld']],
  ['IGtoken', 'https://www.instagram.com/p/OWNcover/', ['not_offered', 'instagram_media_withheld']],
  ['IGtoken', 'https://www.instagram.com/share/reel/BAabc123', ['not_offered', 'instagram_address_not_post']],
  ['IGtoken', 'https://www.reddit.com/r/a/comments/1abc', ['invalid_input', 'instagram_address_invalid']],
])('%s, %s is refused: %j', async (token, url, expected) => expect(await refusal(source(token).resolve(url))).toEqual(expected));
